import type { ImageTools } from '../elf/ports.ts';
import { readDebugFile } from './debug-files.ts';
import { demangle } from './demangle.ts';
import { inflate } from './inflate.ts';

export const imageTools: ImageTools = { inflate, demangle, readDebugFile };
