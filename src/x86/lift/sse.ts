import { type Instruction, Mnemonic } from 'iced-x86';
import { encodeOperand } from '../operand-code.ts';
import { AES } from './aes.ts';
import { AVX_ONLY_ROWS } from './avx.ts';
import { AVX_MEMORY_ROWS } from './avx-memory.ts';
import { CARRYLESS } from './carryless.ts';
import { F16C_ROWS } from './f16c.ts';
import { FMA_ROWS } from './fma.ts';
import { maskedStoreOperands } from './masked-store.ts';
import type { Rows, ServiceRows } from './row.ts';
import { SHA } from './sha.ts';
import { AVX_CONTROL_ROWS, SSE_CONTROL_ROWS } from './sse-control.ts';
import { SSE_CONVERT } from './sse-convert.ts';
import { SSE_FLOAT } from './sse-float.ts';
import { SSE_INTEGER } from './sse-integer.ts';
import { SSE_MOVE } from './sse-move.ts';
import { SSE_SHUFFLE } from './sse-shuffle.ts';
import { SSE3, SSSE3 } from './sse3.ts';
import { SSE41_FLOAT } from './sse41-float.ts';
import { SSE41_INTEGER } from './sse41-integer.ts';
import { SSE41_LANES } from './sse41-lanes.ts';
import { SSE42_STRINGS } from './sse42-strings.ts';
import { legacyRows, type VectorTable, vexRows } from './vector-form.ts';

/** SSE to SSSE3. */
const TO_SSSE3: VectorTable = [
  ...SSE_MOVE,
  ...SSE_FLOAT,
  ...SSE_CONVERT,
  ...SSE_INTEGER,
  ...SSE_SHUFFLE,
  ...SSE3,
  ...SSSE3,
];

/** What came later and has encodings with VEX prefix too. */
const FROM_SSE41: VectorTable = [
  ...SSE41_INTEGER,
  ...SSE41_LANES,
  ...SSE41_FLOAT,
  ...SSE42_STRINGS,
  ...AES,
  ...CARRYLESS,
];

/** SSE, SSE2, SSE3 and SSSE3. Mnemonics `movsd` and `cmpsd` are also string instructions, which are told apart before these rows. */
export const SSE_ROWS: Rows = [...legacyRows(TO_SSSE3), ...SSE_CONTROL_ROWS];

export const EXTENSION_ROWS: Rows = legacyRows([...FROM_SSE41, ...SHA]);

export const AVX_ROWS: Rows = [
  ...vexRows([...TO_SSSE3, ...FROM_SSE41]),
  ...AVX_ONLY_ROWS,
  ...AVX_MEMORY_ROWS,
  ...FMA_ROWS,
  ...F16C_ROWS,
  ...AVX_CONTROL_ROWS,
];

export const SSE_SERVICES: ServiceRows = [
  [Mnemonic.Maskmovdqu, maskedStoreOperands],
  [Mnemonic.Vmaskmovdqu, maskedStoreOperands],
  ...[Mnemonic.Ldmxcsr, Mnemonic.Vldmxcsr].map(
    (mnemonic) =>
      [
        mnemonic,
        (instruction: Instruction) => ({ service: 'ldmxcsr', argument: encodeOperand(instruction) }),
      ] as const,
  ),
];
