import { expect, it } from 'vitest';
import { NO_PAINT } from '../report/ports.ts';
import { ProgressLine } from './progress.ts';

const ERASE = '\r\u001b[K';

it('shows all targets that are being measured, and none that is over', () => {
  const written: string[] = [];
  const line = new ProgressLine({
    stdout: () => {},
    stderr: (data) => void written.push(String(data)),
    stdoutPaint: NO_PAINT,
    stderrPaint: NO_PAINT,
    watched: true,
    width: 71,
  });
  const at = (target: string, instructions: number) =>
    line.show({ target, phase: 'counting', pass: 1, passes: 1, instructions });
  at('one', 1000);
  at('two', 10);
  at('one', 2000);
  at('three', 5);
  line.drop('one');
  line.drop('two');
  line.drop('three');
  expect(written).toEqual([
    `${ERASE}one: counting, 1,000 instructions`,
    `${ERASE}one: counting, 1,000 instructions; two: counting, 10 instructions`,
    `${ERASE}one: counting, 2,000 instructions; two: counting, 10 instructions`,
    // As much as fits, so that the terminal does not wrap it.
    `${ERASE}one: counting, 2,000 instructions; two: counting, 10 instructions; thr`,
    `${ERASE}two: counting, 10 instructions; three: counting, 5 instructions`,
    `${ERASE}three: counting, 5 instructions`,
    ERASE,
  ]);
});
