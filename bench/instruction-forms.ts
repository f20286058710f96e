/**
 * Loops of one instruction form each, for `node bench/instructions.ts MACHINE forms`: eight of them that wait for nobody show
 * the rate, eight that wait for each other the latency.
 */
export type FormLoop = readonly [what: string, code: readonly string[]];

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
const WIDE = ['rax', 'rbx', 'rcx', 'rdx', 'r8', 'r9', 'r10', 'r11'];
const NARROW = ['eax', 'ebx', 'ecx', 'edx', 'r8d', 'r9d', 'r10d', 'r11d'];

/** `D` is the destination, another one in each of the eight; `C` the operand that takes the last one's result in a chain. */
function loops(what: string, template: string, destinations: readonly string[], source: string): FormLoop[] {
  const plain = destinations.map((to) => template.replaceAll('D', `%${to}`).replaceAll('C', source));
  if (!template.includes('C')) return [[`${what}: rate`, plain]];
  const [only] = destinations;
  const chain = EIGHT.map(() => template.replaceAll('D', `%${only}`).replaceAll('C', `%${only}`));
  return [
    [`${what}: rate`, plain],
    [`${what}: latency`, chain],
  ];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const vectors = (width: 'xmm' | 'ymm'): readonly string[] => EIGHT.map((i) => `${width}${i + 4}`);

/** Three operands, the first of which is the second source. */
const PACKED =
  words(`vaddpd vaddps vmulpd vmulps vdivpd vdivps vminpd vandpd vandps vorps vxorpd vunpcklpd vunpckhpd vunpcklps
  vaddsubpd vhaddpd vhaddps vpaddd vpaddq vpaddb vpsubd vpsubusb vpmulld vpmuludq vpmullw vpmulhw vpmaddwd vpmaddubsw vpand
  vpor vpxor vpcmpeqd vpcmpgtd vpcmpgtq vpminsd vpmaxsd vpminub vpmaxsw vpackssdw vpackuswb vpunpcklbw vpunpckldq vpunpcklqdq
  vpshufb vpsadbw vpavgb vpsignd vphaddd vpsllvd vpsrlvd`);
const SCALAR = words(
  `vaddsd vaddss vsubsd vmulsd vmulss vdivsd vdivss vminsd vmaxsd vminss vsqrtsd vsqrtss vcvtss2sd vcvtsd2ss`,
);
const FUSED = words(`vfmadd213sd vfmadd231sd vfmadd231ss vfmadd132sd vfnmadd231sd vfmsub213sd`);
const SHIFTED = words(`vpslld vpsrlq vpsrad vpshufd vpshuflw vpermilpd vpsrldq vroundpd`);
const TWO = words(`vsqrtpd vsqrtps vcvtdq2ps vcvttps2dq vpabsd vmovshdup vrcpps vrsqrtps`);

export const FORM_LOOPS: readonly FormLoop[] = [
  ...(['xmm', 'ymm'] as const).flatMap((width) => [
    ...PACKED.flatMap((name) =>
      loops(`${name} ${width}`, `${name} %${width}1, C, D`, vectors(width), `%${width}2`),
    ),
    ...SHIFTED.flatMap((name) =>
      loops(`${name} ${width}, i`, `${name} $1, C, D`, vectors(width), `%${width}2`),
    ),
    ...TWO.flatMap((name) => loops(`${name} ${width}`, `${name} C, D`, vectors(width), `%${width}2`)),
    ...words('vfmadd231pd vfmadd231ps').flatMap((name) =>
      loops(`${name} ${width}`, `${name} %${width}1, %${width}2, D`, vectors(width), ''),
    ),
  ]),
  ...SCALAR.flatMap((name) => loops(name, `${name} C, C, D`, vectors('xmm'), '%xmm2')),
  ...FUSED.flatMap((name) => loops(name, `${name} %xmm1, %xmm2, D`, vectors('xmm'), '')),
  ...words('vpmovsxbw vpmovzxbd vpmovsxdq').flatMap((name) =>
    loops(name, `${name} C, D`, vectors('xmm'), '%xmm2'),
  ),
  ...words('vshufpd vcmpsd vpalignr').flatMap((name) =>
    loops(name, `${name} $1, %xmm1, C, D`, vectors('xmm'), '%xmm2'),
  ),
  ...words('vblendpd vpblendd vperm2f128 vshufps vcmppd').flatMap((name) =>
    loops(`${name} ymm`, `${name} $1, %ymm1, C, D`, vectors('ymm'), '%ymm2'),
  ),
  ...loops('vpermq ymm', 'vpermq $1, C, D', vectors('ymm'), '%ymm2'),
  ...loops('vpermd ymm', 'vpermd C, %ymm1, D', vectors('ymm'), '%ymm2'),
  ...loops('vinsertf128', 'vinsertf128 $1, %xmm1, C, D', vectors('ymm'), '%ymm2'),
  ...loops('vextractf128', 'vextractf128 $1, %ymm1, D', vectors('xmm'), ''),
  ...loops('vucomisd', 'vucomisd %xmm1, D', vectors('xmm'), ''),
  ...words('vmovmskpd vpmovmskb').flatMap((name) => loops(name, `${name} %ymm1, D`, NARROW, '')),
  ...words('add sub and or xor imul adc sbb cmp test mov cmove cmovl cmovbe cmova').flatMap((name) =>
    loops(`${name} r64`, `${name} %r12, D`, WIDE, ''),
  ),
  ...words('popcnt lzcnt tzcnt bsf bsr blsr blsi').flatMap((name) =>
    loops(name, `${name} C, D`, WIDE, '%r12'),
  ),
  ...words('shlx sarx andn').flatMap((name) => loops(name, `${name} %r12, C, D`, WIDE, '%r13')),
  ...words('shl sar shr rol ror').flatMap((name) => loops(`${name} i`, `${name} $3, D`, WIDE, '')),
  ...loops('vmovq x, r', 'vmovq %r12, D', vectors('xmm'), ''),
  ...loops('vmovq r, x', 'vmovq %xmm1, D', WIDE, ''),
  ...loops('vcvtsi2sd', 'vcvtsi2sd %r12, %xmm1, D', vectors('xmm'), ''),
  ...loops('vcvttsd2si', 'vcvttsd2si %xmm1, D', WIDE, ''),
  ...loops('vpinsrd', 'vpinsrd $1, %r12d, %xmm1, D', vectors('xmm'), ''),
  ...loops('vpextrd', 'vpextrd $1, %xmm1, D', NARROW, ''),
];
