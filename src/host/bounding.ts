import type { RunBoundsPorts } from '../pipeline/ports.ts';
import { files } from './files.ts';
import { readGrammar } from './grammars.ts';
import { imageTools } from './image-tools.ts';
import { sampleCycles } from './perf.ts';
import { readSource } from './sources.ts';

/** This machine, as bounding the loops of a run sees it. */
export const hostBounding: RunBoundsPorts = { files, readSource, readGrammar, imageTools, sampleCycles };
