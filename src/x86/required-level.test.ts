import { Decoder, DecoderOptions } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import type { IsaLevel } from '../base/isa-level.ts';
import { type BeyondLevel, LevelWatch } from './required-level.ts';

/** Instructions from address 0x1000 on. */
function watched(shown: IsaLevel, ...bytes: number[]): BeyondLevel | undefined {
  const watch = new LevelWatch(shown);
  const decoder = new Decoder(64, Uint8Array.from(bytes), DecoderOptions.None);
  decoder.ip = 0x1000n;
  while (decoder.canDecode) watch.note(decoder.decode());
  decoder.free();
  return watch.found;
}

const ADDSD = [0xf2, 0x0f, 0x58, 0xc1];
const POPCNT = [0xf3, 0x0f, 0xb8, 0xc1];
const PSHUFB = [0x66, 0x0f, 0x38, 0x00, 0xc1];
const VADDPD = [0xc5, 0xf5, 0x58, 0xd0];
const AESENC = [0x66, 0x0f, 0x38, 0xdc, 0xc1];
const TZCNT = [0xf3, 0x0f, 0xbc, 0xc1];

describe('instructions above the shown level', () => {
  it('are none in code for the level', () => {
    expect(watched('x86-64', ...ADDSD)).toBeUndefined();
    expect(watched('x86-64-v2', ...ADDSD, ...POPCNT, ...PSHUFB)).toBeUndefined();
    expect(watched('x86-64-v3', ...VADDPD, ...POPCNT)).toBeUndefined();
  });

  it('are the first of the highest level', () => {
    expect(watched('x86-64', ...POPCNT, ...PSHUFB)).toEqual({
      mnemonic: 'popcnt',
      address: 0x1000,
      level: 'x86-64-v2',
    });
    expect(watched('x86-64', ...POPCNT, ...VADDPD, ...PSHUFB)).toEqual({
      mnemonic: 'vaddpd',
      address: 0x1004,
      level: 'x86-64-v3',
    });
  });

  it('are none of extensions that belong to no level, and not `rep bsf`, which compilers write for every level', () => {
    expect(watched('x86-64', ...AESENC, ...TZCNT)).toBeUndefined();
  });
});
