/** Writes the README's tables of what is supported: `npm run support`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withSupport } from '../test/support/support.ts';

const path = fileURLToPath(new URL('../README.md', import.meta.url));
writeFileSync(path, withSupport(readFileSync(path, 'utf8')));
