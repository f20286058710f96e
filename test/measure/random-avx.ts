import type { Random } from './random.ts';

/** Instructions with VEX prefix for random programs: on ymm0 to ymm5, of which others use the lower halves. */
const words = (text: string): readonly string[] => text.split(' ');

const BINARY = words(
  'vaddps vmulpd vsubpd vminps vandps vandnpd vxorps vpaddb vpaddd vpsubq vpcmpeqb vpcmpgtd vpand vpandn vpor vpxor ' +
    'vpunpcklbw vpunpckhdq vunpcklps vpmullw vpmuludq vpackssdw vpshufb vphaddd vhaddps vpmaddubsw vpsignw vpminsd ' +
    'vpmulld vpackusdw vpsllvd vpsravd vpsrlvq vpermilps vaddsubpd',
);
const SELECTED = words('vshufps vshufpd vpalignr vblendps vpblendd vpblendw vcmpps vcmppd vmpsadbw vdpps');
const UNARY = words(
  'vsqrtps vmovshdup vpabsd vcvtdq2ps vcvttps2dq vmovaps vmovdqu vpshufd vpermilpd vroundps',
);
const NEEDS_IMMEDIATE: ReadonlySet<string> = new Set(['vpshufd', 'vpermilpd', 'vroundps']);
const SCALAR = words('vaddsd vmulsd vsqrtsd vminsd vcvtsd2ss vfmadd231sd vfnmsub132sd');
const FUSED = words('vfmadd132ps vfmadd213pd vfmsub231ps vfnmadd231pd vfmaddsub213ps vfnmsub132pd');
const WIDE = words('vperm2f128 vperm2i128');

export function avxInstruction(random: Random, at: (bytes: number) => string): string {
  const isWide = random.chance(2);
  const [file, size, word] = isWide ? (['ymm', 32, 'ymmword'] as const) : (['xmm', 16, 'xmmword'] as const);
  const number = () => random.below(6);
  const register = () => `${file}${number()}`;
  const memory = () => `${word} ptr [rdi+${at(size)}]`;
  const source = () => (random.chance(3) ? memory() : register());
  const part = (bytes: 4 | 8) => `${bytes === 4 ? 'dword' : 'qword'} ptr [rdi+${at(bytes)}]`;
  const immediate = () => random.below(256);
  switch (random.below(15)) {
    case 0:
    case 1:
    case 2:
      return `${random.pick(BINARY)} ${register()}, ${register()}, ${source()}`;
    case 3: {
      const name = random.pick(SELECTED);
      const bits = name.startsWith('vcmp') ? random.below(32) : immediate();
      return `${name} ${register()}, ${register()}, ${source()}, ${bits}`;
    }
    case 4: {
      const name = random.pick(UNARY);
      const from = name === 'vmovaps' ? register() : source();
      return `${name} ${register()}, ${from}${NEEDS_IMMEDIATE.has(name) ? `, ${random.below(4)}` : ''}`;
    }
    case 5:
      return `vmovups ${memory()}, ${register()}`;
    case 6:
      return random.pick(['vzeroupper', 'vzeroupper', 'vzeroall', `vmovq xmm${number()}, ${part(8)}`]);
    case 7:
      return `${random.pick(SCALAR)} xmm${number()}, xmm${number()}, ${random.chance(2) ? part(8) : `xmm${number()}`}`;
    case 8:
      return `${random.pick(FUSED)} ${register()}, ${register()}, ${source()}`;
    case 9:
      return random.pick([
        `vextractf128 xmm${number()}, ymm${number()}, ${random.below(2)}`,
        `vextracti128 xmmword ptr [rdi+${at(16)}], ymm${number()}, ${random.below(2)}`,
        `vinsertf128 ymm${number()}, ymm${number()}, xmm${number()}, ${random.below(2)}`,
        `${random.pick(WIDE)} ymm${number()}, ymm${number()}, ymm${number()}, ${immediate()}`,
        `vpermq ymm${number()}, ymm${number()}, ${immediate()}`,
        `vpermd ymm${number()}, ymm${number()}, ymm${number()}`,
      ]);
    case 10:
      return random.pick([
        `vbroadcastss ${register()}, ${part(4)}`,
        `vbroadcastsd ymm${number()}, xmm${number()}`,
        `vpbroadcastb ${register()}, byte ptr [rdi+${at(1)}]`,
        `vbroadcastf128 ymm${number()}, xmmword ptr [rdi+${at(16)}]`,
        `vpmovzxbw ${register()}, ${isWide ? `xmm${number()}` : part(8)}`,
        `vcvtps2pd ${register()}, ${isWide ? `xmm${number()}` : part(8)}`,
      ]);
    case 11:
      return random.pick([
        `vpmaskmovd ${register()}, ${register()}, ${memory()}`,
        `vmaskmovpd ${register()}, ${register()}, ${memory()}`,
        `vpmaskmovq ${memory()}, ${register()}, ${register()}`,
        `vmaskmovps ${memory()}, ${register()}, ${register()}`,
      ]);
    case 12: {
      // Indices below 8, a mask of ones or of what is there.
      const indices = `vpcmpeqd ymm7, ymm7, ymm7\nvpsrld ymm6, ymm7, 29\nvpand ymm6, ymm6, ymm${number()}`;
      const mask = random.chance(2) ? `vmovdqa ymm7, ymm${number()}` : 'nop';
      const name = random.pick(['vpgatherdd', 'vgatherdps']);
      return `${indices}\n${mask}\n${name} ${register()}, [rdi+${file}6*${random.pick([1, 4, 8])}+${random.below(60)}], ${file}7`;
    }
    case 13:
      return random.pick([
        `vptest ${register()}, ${source()}`,
        `vtestps ${register()}, ${register()}`,
        `vpmovmskb eax, ${register()}`,
        `vmovmskps ecx, ${register()}`,
        `vucomisd xmm${number()}, ${part(8)}`,
      ]);
    default:
      return random.pick([
        `vpslld ${register()}, ${register()}, ${random.below(40)}`,
        `vpsrldq ${register()}, ${register()}, ${random.below(18)}`,
        `vpsrlq ${register()}, ${register()}, xmm${number()}`,
        `vmovss xmm${number()}, xmm${number()}, xmm${number()}`,
        `vmovd r9d, xmm${number()}`,
        `vcvtsi2sd xmm${number()}, xmm${number()}, rcx`,
        `vblendvps ${register()}, ${register()}, ${register()}, ${register()}`,
        `vcvtpd2ps xmm${number()}, ${register()}`,
      ]);
  }
}
