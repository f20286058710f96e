/** Processes that tests start have Node's usual limits of memory, not those of the processes that run tests (vitest.config.ts). */
process.execArgv = process.execArgv.filter((flag) => !flag.startsWith('--max-old-space-size'));
