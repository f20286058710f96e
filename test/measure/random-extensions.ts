import type { Random } from './random.ts';

/** What a random program gives its lines: registers of a width and places in its buffer. */
export interface Operands {
  register(width: 2 | 4 | 8): string;
  memory(bytes: 1 | 2 | 4 | 8 | 16): string;
}

const words = (text: string): readonly string[] => text.split(' ');

const BINARY = words(
  'pmulld pmuldq pminsd pmaxud pminsb packusdw pcmpeqq pcmpgtq phminposuw pshufb phaddd pmaddubsw psignw ptest ' +
    'aesenc aesdeclast aesimc sha1nexte sha256msg2 sha256rnds2 blendvps pblendvb haddps addsubpd',
);
const SELECTED = words(
  'roundps roundpd dpps dppd pblendw blendpd mpsadbw palignr pclmulqdq aeskeygenassist sha1rnds4 insertps ' +
    'pcmpistri pcmpistrm pcmpestri pcmpestrm',
);
const VEX = words(
  'vaddpd vmulps vsubpd vpaddd vpxor vpcmpeqb vpand vpmulld vpshufb vunpcklps vpackssdw vandnpd vhaddps vpermd vpsubq',
);
const FUSED = words('vfmadd231pd vfnmadd132ps vfmsub213pd');
const MMX = words(
  'paddb psubw pmullw pand pxor pcmpgtd packsswb punpckhwd pmaddwd pshufb phaddw psadbw pavgb paddq',
);

/** One line, or a few that belong together, of an instruction set above the baseline or of MMX. */
export function extensionLine(random: Random, operands: Operands): string {
  const vector = (file: 'x' | 'y') => `${file}mm${random.below(6)}`;
  const mmx = () => `mm${random.below(8)}`;
  const selector = () => random.below(256);
  const pick = (names: readonly string[]) => random.pick(names);
  const r = random.pick([4, 8] as const);
  const [a, b, c] = [1, 2, 3].map(() => operands.register(r));
  const source = random.chance(2) ? b : operands.memory(r);
  switch (random.below(14)) {
    case 0:
      return `${pick(words('popcnt lzcnt tzcnt'))} ${a}, ${source}`;
    case 1:
      return random.pick([
        `andn ${a}, ${b}, ${c}`,
        `bextr ${a}, ${source}, ${c}`,
        `bzhi ${a}, ${source}, ${c}`,
        `${pick(words('blsi blsr blsmsk'))} ${a}, ${source}`,
        `mulx ${a}, ${b}, ${c}`,
        `${pick(words('pdep pext'))} ${a}, ${b}, ${c}`,
        `rorx ${a}, ${b}, ${random.below(64)}`,
        `${pick(words('sarx shlx shrx'))} ${a}, ${source}, ${c}`,
      ]);
    case 2:
      return `${pick(words('adcx adox'))} ${a}, ${source}`;
    case 3:
      return random.pick([
        `movbe ${a}, ${operands.memory(r)}`,
        `movbe ${operands.memory(r)}, ${a}`,
        `crc32 ${a}, ${operands.memory(1)}`,
        `crc32 ${a}, ${r === 8 ? operands.memory(8) : operands.memory(4)}`,
        // The buffer starts 12 bytes above a multiple of 16.
        'lock cmpxchg16b [rdi+4]',
        `${pick(words('rdrand rdseed'))} ${a}`,
      ]);
    case 4:
    case 5:
      return `${pick(BINARY)} ${vector('x')}, ${vector('x')}`;
    case 6:
      return `${pick(SELECTED)} ${vector('x')}, ${vector('x')}, ${selector()}`;
    case 7:
      return random.pick([
        `pmovzxbw ${vector('x')}, ${operands.memory(8)}`,
        `pmovsxbq ${vector('x')}, ${operands.memory(2)}`,
        `pinsrd ${vector('x')}, ${operands.memory(4)}, ${selector()}`,
        `pextrb ${operands.memory(1)}, ${vector('x')}, ${selector()}`,
        `pextrq ${operands.register(8)}, ${vector('x')}, ${selector()}`,
        `roundsd ${vector('x')}, ${operands.memory(8)}, ${selector()}`,
      ]);
    case 8:
    case 9: {
      const file = random.pick(['x', 'y'] as const);
      return `${pick(VEX).replace('vpermd', file === 'y' ? 'vpermd' : 'vpminsd')} ${vector(file)}, ${vector(file)}, ${vector(file)}`;
    }
    case 10: {
      const file = random.pick(['x', 'y'] as const);
      return random.pick([
        `${pick(FUSED)} ${vector(file)}, ${vector(file)}, ${vector(file)}`,
        `vmovdqu ${vector('x')}, ${operands.memory(16)}`,
        `vbroadcastsd ${vector('y')}, ${operands.memory(8)}`,
        `vextracti128 ${vector('x')}, ${vector('y')}, 1`,
        `vpermq ${vector('y')}, ${vector('y')}, ${selector()}`,
        'vzeroupper',
      ]);
    }
    case 11:
      return `${pick(MMX)} ${mmx()}, ${random.chance(2) ? mmx() : operands.memory(8)}`;
    case 12:
      return random.pick([
        `movq ${mmx()}, ${operands.register(8)}`,
        `movd ${operands.register(4)}, ${mmx()}`,
        `movq2dq ${vector('x')}, ${mmx()}`,
        `movdq2q ${mmx()}, ${vector('x')}`,
        `cvttps2pi ${mmx()}, ${vector('x')}`,
        `pshufw ${mmx()}, ${mmx()}, ${selector()}`,
        `maskmovq ${mmx()}, ${mmx()}`,
      ]);
    default:
      return 'emms';
  }
}
