import { existsSync, readFileSync } from 'node:fs';

const SETTING = '/sys/kernel/mm/transparent_hugepage/enabled';

/** Whether this machine gives huge pages to those who ask, and to nobody else. */
export const canAskForHugePages =
  process.arch === 'x64' &&
  existsSync(SETTING) &&
  readFileSync(SETTING, 'utf8').includes('[madvise]') &&
  /^THP_enabled:\s+1$/m.test(readFileSync('/proc/self/status', 'utf8'));
