import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Failure } from '../base/failure.ts';
import type { HelpAnswer, HelpJob, QuietMeasurement } from '../pipeline/ports.ts';
import {
  type Answer,
  fromPlain,
  type Job,
  KEEPS_CODE,
  type Progress,
  type Request,
} from './worker-messages.ts';

export interface WorkerOptions {
  /** Whether it may use what earlier processes have kept of code, and keeps it for later ones. */
  readonly keepsCode: boolean;
  /** What it runs, where that is not ours. */
  readonly worker?: string;
}

type Result = QuietMeasurement | HelpAnswer;

/** What a measuring process runs: beside the bundle, or in the sources. */
const WORKER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../worker/entry.ts' : './worker.cjs', import.meta.url),
);

/**
 * A process that measures. It is one of its own, not a thread: where memory runs out or V8 gives up, what ends is this
 * one measurement, and we live to say so. Both take the same time (ARCHITECTURE.md).
 */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private errors = '';
  private ended: Failure | undefined;
  /** Settles the job in hand. */
  private settle: ((result: Result | Failure | Error) => void) | undefined;
  private progress: ((state: Progress) => void) | undefined;

  constructor({ keepsCode, worker = WORKER }: WorkerOptions) {
    this.child = fork(worker, keepsCode ? [KEEPS_CODE] : [], {
      serialization: 'advanced',
      // There is one for each core, so that one thread is enough on which V8 compiles (compiling-threads.ts).
      execArgv: [...process.execArgv, '--v8-pool-size=1'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-MOST_ERRORS);
    });
    this.child.on('message', (message) => this.hear(message as Answer));
    this.child.on('error', (problem) => this.end(`could not be started or reached: ${problem.message}`));
    // After all of its messages and its last words.
    this.child.on('close', (status, signal) => this.end(describeEnd(status, signal, this.errors)));
  }

  /** Whether it can take another job. */
  get alive(): boolean {
    return this.ended === undefined;
  }

  /** Throws what the worker threw: Failure; and `measurement-died` where the process ended before it could answer. */
  async measure(request: Request, progress?: (state: Progress) => void): Promise<QuietMeasurement> {
    this.progress = progress;
    const { answer } = this.ask({
      kind: 'measure',
      request,
      watched: progress !== undefined,
      parent: process.pid,
    });
    return answer as Promise<QuietMeasurement>;
  }

  /** Has it measure parts of a run. `sent` is done when it can begin without this process. Throws likewise. */
  help(help: HelpJob): { readonly sent: Promise<void>; readonly answer: Promise<HelpAnswer> } {
    const { sent, answer } = this.ask({ kind: 'help', help, parent: process.pid });
    return { sent, answer: answer as Promise<HelpAnswer> };
  }

  private ask(job: Job): { readonly sent: Promise<void>; readonly answer: Promise<Result> } {
    let told: () => void = () => {};
    const sent = new Promise<void>((settle) => {
      told = settle;
    });
    const answer = new Promise<Result | Failure | Error>((settle) => {
      this.settle = settle;
      if (this.ended === undefined) {
        // A failure to send is followed by the end of the process.
        this.child.send(job, () => told());
        return;
      }
      settle(this.ended);
      told();
    });
    return {
      sent,
      answer: answer.then((result) => {
        if (result instanceof Error) throw result;
        return result;
      }),
    };
  }

  /** Ends it; it must have no job in hand. At once: by itself it would wait for V8 (see leave.ts). */
  close(): void {
    this.child.kill('SIGKILL');
  }

  private hear(message: Answer): void {
    switch (message.kind) {
      case 'progress':
        this.progress?.(message.state);
        return;
      case 'measured':
        this.settle?.(message.measurement);
        return;
      case 'helped':
        this.settle?.(message.answer);
        return;
      case 'failed':
        this.settle?.(fromPlain(message.failure));
        return;
      case 'mistake':
        this.settle?.(mistake(message.text));
        return;
    }
  }

  private end(how: string): void {
    this.ended ??= new Failure('environment', 'measurement-died', `the process that measured it ${how}`);
    this.settle?.(this.ended);
  }
}

/** Characters of stderr that are kept: V8's report of exhausted memory is shorter. */
const MOST_ERRORS = 10_000;

function describeEnd(status: number | null, signal: string | null, errors: string): string {
  const reason = /^FATAL ERROR: (.*)$/m.exec(errors)?.[1] ?? /^\S*Error: .*$/m.exec(errors)?.[0];
  const how = signal === null ? `ended with status ${status}` : `was ended by ${signal}`;
  return reason === undefined ? how : `${how}: ${reason}`;
}

function mistake(text: string): Error {
  const error = new Error(text);
  error.stack = text;
  return error;
}
