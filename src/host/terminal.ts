import { styleText } from 'node:util';
import type { Terminal } from '../cli/ports.ts';
import { NO_PAINT, type Paint } from '../report/ports.ts';

/** The process's own stdout and stderr. */
export function openTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreGoneReader);
  return {
    stdout: (data) => void process.stdout.write(data),
    stderr: (data) => void process.stderr.write(data),
    stdoutPaint: paintFor(process.stdout),
    stderrPaint: paintFor(process.stderr),
    watched: process.stderr.isTTY === true && process.env.TERM !== 'dumb',
    width: process.stderr.columns || 80,
  };
}

/** `ilp-gate check | head` must not end in a stack trace, nor change the verdict. */
function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

const COLOURS: Paint = {
  strong: (text) => styleText('bold', text, { validateStream: false }),
  bad: (text) =>
    styleText('bold', styleText('red', text, { validateStream: false }), { validateStream: false }),
  good: (text) => styleText('green', text, { validateStream: false }),
  faint: (text) => styleText('dim', text, { validateStream: false }),
};

/** Colour on a terminal unless NO_COLOR asks for none (no-color.org). */
function paintFor(stream: NodeJS.WriteStream): Paint {
  const colourless = process.env.NO_COLOR !== undefined && process.env.NO_COLOR !== '';
  return stream.isTTY === true && !colourless && process.env.TERM !== 'dumb' ? COLOURS : NO_PAINT;
}
