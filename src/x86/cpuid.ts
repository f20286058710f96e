import { type IsaLevel, includes } from '../base/isa-level.ts';
import { featureBits, processorFacts, signature } from './features.ts';

/**
 * CPUID of the processor that guests see: of a level of x86-64 and nothing beside it, so that a C library picks the same
 * routines everywhere. The vendor is one whose cache description C libraries read from leaf 4.
 */
type Leaf = readonly [eax: number, ebx: number, ecx: number, edx: number];

const NONE: Leaf = [0, 0, 0, 0];

/** Leaf 4: type 1 data, 2 instruction, 3 unified; sizes in bytes, lines of 64. */
function cache(type: 1 | 2 | 3, level: number, ways: number, size: number): Leaf {
  const sets = size / (ways * 64);
  return [type | (level << 5) | (1 << 8), 63 | ((ways - 1) << 22), sets - 1, 0];
}

const CACHES: readonly Leaf[] = [
  cache(1, 1, 8, 32 << 10),
  cache(2, 1, 8, 32 << 10),
  cache(3, 2, 8, 256 << 10),
  cache(3, 3, 16, 8 << 20),
];

function text(bytes: string): readonly number[] {
  const words: number[] = [];
  for (let i = 0; i < bytes.length; i += 4)
    words.push(
      bytes.charCodeAt(i) |
        (bytes.charCodeAt(i + 1) << 8) |
        (bytes.charCodeAt(i + 2) << 16) |
        (bytes.charCodeAt(i + 3) << 24),
    );
  return words;
}

const [GENU, INEI, NTEL] = text('GenuineIntel');
const brand = (isa: IsaLevel, part: number): Leaf =>
  text(
    processorFacts(isa)
      .name.padEnd(48, '\0')
      .slice(16 * part, 16 * part + 16),
  ) as unknown as Leaf;

/** The state that xsave saves: x87, SSE and AVX (SDM volume 1, 13.3). */
export const XCR0 = 7;
/** Where the last of them is (13.4). */
const AVX_AREA = { offset: 576, size: 256 } as const;

/** Leaf 13: what there is to save. */
function savedState(isa: IsaLevel, subleaf: number): Leaf {
  if (!includes(isa, 'x86-64-v3')) return NONE;
  const { offset, size } = AVX_AREA;
  switch (subleaf >>> 0) {
    case 0:
      return [XCR0, offset + size, offset + size, 0];
    case 1:
      return [featureBits(isa, 'd:1:eax'), offset + size, 0, 0];
    case 2:
      return [size, offset, 0, 0];
    default:
      return NONE;
  }
}

/** The highest leaf: that of caches, or of state to save where there is more than fxsave saves. */
const highest = (isa: IsaLevel): number => (includes(isa, 'x86-64-v3') ? 13 : 4);

export function cpuidLeaf(isa: IsaLevel, leaf: number, subleaf: number): Leaf {
  switch (leaf >>> 0) {
    case 0:
      return [highest(isa), GENU, NTEL, INEI];
    case 1:
      // CLFLUSH lines of 64 bytes, one logical processor.
      return [signature(isa), (8 << 8) | (1 << 16), featureBits(isa, '1:ecx'), featureBits(isa, '1:edx')];
    case 2:
      // Descriptor 0xff: caches are in leaf 4.
      return [0x00ff_0001, 0, 0, 0];
    case 4:
      return CACHES[subleaf >>> 0] ?? NONE;
    case 7:
      return subleaf === 0 ? [0, featureBits(isa, '7:ebx'), 0, 0] : NONE;
    case 13:
      return savedState(isa, subleaf);
    case 0x8000_0000:
      return [0x8000_0008 | 0, 0, 0, 0];
    case 0x8000_0001:
      return [0, 0, featureBits(isa, '80000001:ecx'), featureBits(isa, '80000001:edx')];
    case 0x8000_0002:
      return brand(isa, 0);
    case 0x8000_0003:
      return brand(isa, 1);
    case 0x8000_0004:
      return brand(isa, 2);
    case 0x8000_0006:
      // L2: 256 KiB, 8 ways (code 6), lines of 64 bytes.
      return [0, 0, (256 << 16) | (6 << 12) | 64, 0];
    case 0x8000_0008:
      // 48 virtual and 48 physical address bits.
      return [0x3030, 0, 0, 0];
    default:
      return NONE;
  }
}
