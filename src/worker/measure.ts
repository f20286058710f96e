import type { Help, MeasurePorts, MeasureQuietly } from '../pipeline/ports.ts';
import { quietly } from '../pipeline/quietly.ts';
import { reserveAhead } from '../pipeline/reserve-ahead.ts';

interface MeasuringOptions {
  /** Whether it may use what earlier processes have kept of code, and keeps it for later ones. */
  readonly keepsCode: boolean;
  readonly helpers?: MeasurePorts['helpers'];
}

/** Measures on this machine, with helpers if there are any; what it takes is loaded with the first request. */
export function measuringQuietly({ keepsCode, helpers }: MeasuringOptions): MeasureQuietly {
  let measure: Promise<MeasureQuietly> | undefined;
  const load = async () => {
    const reserved = reserveAhead();
    const { measureHere, codeStores } = await import('./engine.ts');
    const codeStore = (keepsCode ? codeStores.disk() : undefined) ?? codeStores.memory();
    return quietly(measureHere({ reserved, codeStore, keepsHashes: keepsCode, helpers }));
  };
  return async (request, progress) => {
    measure ??= load();
    return (await measure)(request, progress);
  };
}

/** Helps another process with a run, once. */
export function helping(usesKeptCode: boolean): Help {
  return async (job, between) => {
    const reserved = reserveAhead();
    const { helpHere, codeStores } = await import('./engine.ts');
    const store = usesKeptCode ? codeStores.disk() : undefined;
    // What the other process keeps is more, but for what it does not do.
    const keep = job.task.followsRun === true ? store?.keep.bind(store) : undefined;
    const codeStore = store && {
      find: store.find.bind(store),
      findNotes: store.findNotes.bind(store),
      keep: keep ?? (() => {}),
      keepNotes: () => {},
    };
    return helpHere({ reserved, codeStore }, usesKeptCode)(job, between);
  };
}
