import type { CodeSettings } from './code-settings.ts';
import type { ContextFunctions } from './contexts/functions.ts';
import type { PreparedHandlers } from './interpreter/prepared.ts';
import type { RecordSpace } from './interpreter/record-space.ts';
import type { StoredCode } from './stored/stored-code.ts';

/** What a code cache works for. */
export interface CodeOptions extends CodeSettings {
  readonly memory: WebAssembly.Memory;
  readonly contexts: ContextFunctions;
  /** Where interpreted code is kept, of all code caches. */
  readonly records: RecordSpace;
  /** Handlers that were made before: for this very measure, these limits and this mxcsr, with nothing in addition. */
  readonly prepared?: PreparedHandlers;
  /** Whether what is made is left for later runs; not where anybody asks for something in addition. */
  readonly leavesCode?: boolean;
  /** What an earlier cache left: for this very program, measure, these limits, this mxcsr and index. */
  readonly stored?: StoredCode | undefined;
}
