import { availableParallelism } from 'node:os';
import { Failure } from '../base/failure.ts';
import type { MeasureAll, MeasureListener, QuietMeasurement } from '../pipeline/ports.ts';
import { fittingIn, memoryThere } from './available-memory.ts';
import type { Request } from './worker-messages.ts';
import { type WorkerOptions, WorkerProcess } from './worker-process.ts';

export interface Parallelism extends WorkerOptions {
  /** Most measurements at a time; absent: one for each core. */
  readonly jobs?: number | undefined;
  /** Measures one after another in this process: one program alone needs no other. */
  readonly alone: MeasureAll;
}

/** Measures several programs at a time, each in a process of its own, as far as cores and memory allow. */
export function measureInProcesses({ jobs, alone, ...workers }: Parallelism): MeasureAll {
  return (requests, listener = {}) => {
    const most = Math.min(jobs ?? availableParallelism(), requests.length, fittingIn(memoryThere()));
    return most < 2 ? alone(requests, listener) : new Batch(requests, listener, most, workers).run();
  };
}

/** One list of requests on its way through a few processes, which take them in order. */
class Batch {
  private readonly requests: readonly Request[];
  private readonly listener: MeasureListener;
  private readonly most: number;
  private readonly workers: WorkerOptions;
  private readonly results: (QuietMeasurement | Failure)[] = [];
  private next = 0;

  constructor(requests: readonly Request[], listener: MeasureListener, most: number, workers: WorkerOptions) {
    this.requests = requests;
    this.listener = listener;
    this.most = most;
    this.workers = workers;
  }

  async run(): Promise<readonly (QuietMeasurement | Failure)[]> {
    const lines = await Promise.allSettled(Array.from({ length: this.most }, () => this.work()));
    for (const line of lines) if (line.status === 'rejected') throw line.reason;
    return this.results;
  }

  /** One process after another, until no request is left: usually the first one does. */
  private async work(): Promise<void> {
    let process: WorkerProcess | undefined;
    try {
      for (let at = this.next++; at < this.requests.length; at = this.next++) {
        if (process?.alive !== true) process = new WorkerProcess(this.workers);
        this.results[at] = await this.measure(process, at);
        this.listener.finished?.(at);
      }
    } finally {
      process?.close();
    }
  }

  private async measure(process: WorkerProcess, at: number): Promise<QuietMeasurement | Failure> {
    const { progress } = this.listener;
    try {
      return await process.measure(
        this.requests[at],
        progress && ((state) => this.listener.progress?.(at, state)),
      );
    } catch (problem) {
      if (problem instanceof Failure) return problem;
      throw problem;
    }
  }
}
