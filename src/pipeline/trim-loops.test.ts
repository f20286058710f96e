import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyLoop, cause, loop, profileWith } from '../../test/bounds/loops.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { readProfile } from '../profile/read.ts';
import { writeProfile } from '../profile/write.ts';
import { trimLoops } from './trim-loops.ts';

describe('the loops of a baseline', () => {
  const hot = loop({ runTime: 1_000_000 });
  const cold = Array.from({ length: 20 }, (_, at) =>
    loop({ function: `start${at}`, line: at + 1, runTime: 10 }),
  );

  it('are those that matter and those of functions that the configuration names; the rest is counted', () => {
    const trimmed = trimLoops(profileWith([hot, ...cold]), ['start3']);
    expect(trimmed.loops?.map((each) => each.function)).toEqual(['kernel', 'start3']);
    expect(trimmed.bounds?.rest).toEqual({ loops: 19, runTime: 190 });
  });

  it('have nothing that was measured on hardware, and no advice or notes', () => {
    const measured = loop({
      bounds: { MAC: 2, MACS: 3, measured: 3.1234 },
      causes: [cause({ advice: 'Do this.' }), cause({ gap: 'P', kind: 'cache-miss' })],
      notes: ['No source was found.'],
    });
    expect(trimLoops(profileWith([measured]), []).loops?.[0]).toMatchObject({
      bounds: { MAC: 2, MACS: 3 },
      gaps: { S: 1 },
      causes: [cause()],
      notes: [],
    });
    expect(writeProfile(trimLoops(profileWith([measured]), []))).not.toMatch(/measured|"P"|advice/);
  });

  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(anyLoop(fc.string()), { maxLength: 5 }), (loops) => {
        const trimmed = trimLoops(profileWith(loops), []);
        expect(readProfile(writeProfile(trimmed), 'baseline.json')).toEqual(trimmed);
      }),
    );
  });

  it('that are left out are no news when they are measured again', () => {
    const whole = profileWith([hot, ...cold]);
    const { loops = [] } = diffProfiles(trimLoops(whole, []), whole).bounds ?? {};
    expect(loops.map((each) => each.kind)).toEqual(['unchanged', ...cold.map(() => 'unpaired')]);
  });
});
