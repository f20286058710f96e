import { type Code, type Instruction, OpKind, RegisterExt } from 'iced-x86';
import { mnemonicName } from './iced-names.ts';

/** What an instruction is for, as one counts the operations of a loop. */
export type WorkKind =
  /** Floating-point additions and subtractions; multiplications and divisions; both fused; everything else that computes. */
  | 'fa'
  | 'fm'
  | 'fma'
  | 'fmisc'
  /** Integer arithmetic and logic, of general registers and of vectors. */
  | 'integer'
  /** Sets flags only. */
  | 'compare'
  /** Computes an address and accesses nothing. */
  | 'address'
  /** Copies, loads or stores. */
  | 'move'
  /** Moves elements within or between vectors. */
  | 'shuffle'
  | 'branch'
  | 'call'
  | 'nop'
  | 'other';

export interface Work {
  readonly kind: WorkKind;
  /** Operations that it does at once; undefined where the mnemonic does not say the size of its elements. */
  readonly elements: number | undefined;
  /** Bytes of the elements that it works on or moves; undefined where the mnemonic does not tell. */
  readonly elementSize: number | undefined;
  /** Whether the elements are floating point; undefined where a move is used for both. */
  readonly floating: boolean | undefined;
  /** Bytes of its widest vector operand; 0 for none. */
  readonly vector: number;
}

export function workOf(instruction: Instruction, sameSources: boolean): Work {
  const shape = shapeOf(instruction.code, () => readShape(instruction));
  const { mnemonic, vector } = shape;
  if (sameSources && ZEROING.test(mnemonic)) return { ...NONE, kind: 'other', vector };
  const { kind, elementSize, floating, packed } = shape;
  // x87 and general registers: one at a time.
  const elements =
    !packed || vector === 0 ? 1 : elementSize === undefined ? undefined : Math.max(1, vector / elementSize);
  return { kind, elements, elementSize, floating, vector };
}

const NONE: Work = { kind: 'other', elements: 1, elementSize: undefined, floating: undefined, vector: 0 };

interface Shape {
  readonly mnemonic: string;
  readonly kind: WorkKind;
  readonly elementSize: number | undefined;
  readonly floating: boolean | undefined;
  readonly packed: boolean;
  readonly vector: number;
}

/** By code, which fixes the mnemonic and the widths of vectors. */
const shapes = new Map<Code, Shape>();

function shapeOf(code: Code, make: () => Shape): Shape {
  const known = shapes.get(code);
  if (known !== undefined) return known;
  const shape = make();
  shapes.set(code, shape);
  return shape;
}

/** A VEX prefix does not change what is done. */
const plain = (mnemonic: string): string =>
  /^v(?!err|erw|mcall|mlaunch|mresume|mload|mptrld|zero)/.test(mnemonic) ? mnemonic.slice(1) : mnemonic;

const ZEROING = /^(?:xor|sub|pxor\w?|xorp[sd]|psub[bwdq])$/;
const FLOAT = /^(.+?)(nepbf16|p[sdh]|s[sdh])$/;
const SUFFIX_SIZES: Readonly<Record<string, number>> = { s: 4, d: 8, h: 2 };
const ADD = /^(?:add|sub|addsub|hadd|hsub)$/;
const MULTIPLY = /^(?:mul|div)$/;
const FUSED = /^fn?m(?:add|sub)(?:add|sub)?(?:132|213|231)?$/;
const MISC =
  /^(?:sqrt|rsqrt\w*|rcp\w*|min|max|u?comi|cmp\w*|round|rndscale|reduce|range|and|andn|or|xor|dp|scalef|getexp|getmant|fixupimm|fpclass|exp2)$/;
const FLOAT_MOVE =
  /^(?:mova|movu|mov[hl]|movnt|mov|maskmov|broadcast|gatherd|gatherq|scatterd|scatterq|compress|expand)$/;
const FLOAT_SHUFFLE = /^(?:shuf|unpck[lh]|perm\w*|blend\w*|insert|extract|movmsk|movlh|movhl)$/;
const X87_ADD = /^fi?(?:add|sub)r?p?$/;
const X87_MULTIPLY = /^fi?(?:mul|div)r?p?$/;
const X87_MISC =
  /^f(?:chs|abs|sqrt|u?comi?p?p?|icomp?|tst|xam|rndint|scale|prem1?|sin|cos|sincos|ptan|patan|2xm1|yl2x|yl2xp1|xtract|cmov\w+)$/;
const X87_MOVE = /^f(?:i?ld\w*|i?stp?|isttp|bld|bstp|xch)$/;
const GENERAL_MOVE =
  /^(?:mov|movzx|movsx|movsxd|movabs|movbe|cmov\w+|push|pop|xchg|bswap|lods[bwdq]|stos[bwdq]|movs[bwdq]|movnti|movdir\w+|cbw|cwde|cdqe|cwd|cdq|cqo)$/;
const VECTOR_MOVE =
  /^(?:mov[dq]|movdq[au]\d*|movntdqa?|lddqu|movdq2q|movq2dq|pbroadcast[bwdq]|broadcasti\w+|broadcastf\w+|maskmovdqu|pmaskmov[dq]|kmov[bwdq]|pgather\w+|pscatter\w+|pcompress\w|pexpand\w)$/;
const SHUFFLE =
  /^(?:pshuf\w*|punpck\w+|pack\w+|palignr|align[dq]|perm\w+|pblend\w*|pinsr[bwdq]|pextr[bwdq]|inserti?f?\w+|extracti?f?\w+|pmovmskb|movddup|movs[lh]dup|pmov[sz]x\w+|pmovu?s?[wdq][bwd]|shuf[fi]\w+|pslldq|psrldq|valign\w|pmov\w2m|pmovm2\w)$/;
const COMPARE = /^(?:cmp|test|bt|ptest|test\w|kortest\w|ktest\w)$/;
const INTEGER =
  /^(?:add|adc|adcx|adox|sub|sbb|mul|imul|mulx|div|idiv|and|andn|or|xor|not|neg|inc|dec|shl|sal|shr|sar|shld|shrd|shlx|shrx|sarx|rol|ror|rorx|rcl|rcr|bsf|bsr|lzcnt|tzcnt|popcnt|bextr|blsi|blsr|blsmsk|bzhi|pdep|pext|bt[src]|set\w+|crc32|xadd|cmpxchg\w*|scas[bwdq]|cmps[bwdq]|k(?:and|or|xor|not|andn|add|xnor|shift[lr]|unpck)\w*|p(?!refetch|ush|op|ause|config)\w+|mpsadbw|dbpsadbw|aes\w+|sha\w+|pclmul\w+|gf2p8\w+|ternlog\w*)$/;

function readShape(instruction: Instruction): Shape {
  const vector = vectorBytes(instruction);
  const mnemonic = plain(mnemonicName(instruction.mnemonic));
  const base = { mnemonic, vector, elementSize: undefined, floating: undefined, packed: vector > 0 };
  if (instruction.isJccShortOrNear || instruction.isJmpShortOrNear || /^(?:j\w+|loop\w*)$/.test(mnemonic))
    return { ...base, kind: 'branch' };
  if (/^(?:call|syscall)$/.test(mnemonic)) return { ...base, kind: 'call' };
  if (/^ret/.test(mnemonic)) return { ...base, kind: 'branch' };
  if (/^(?:nop|fnop|endbr64|endbr32|pause|reservednop)$/.test(mnemonic)) return { ...base, kind: 'nop' };
  if (mnemonic === 'lea') return { ...base, kind: 'address' };
  if (vector > 0 && mnemonic.startsWith('cvt')) return converting(mnemonic, base);
  if (vector > 0 && !instruction.isStringInstruction) {
    const float = floatShape(mnemonic, base);
    if (float !== undefined) return float;
  }
  if (vector === 0 && /^f/.test(mnemonic)) {
    const kind = x87Kind(mnemonic);
    if (kind !== undefined) return { ...base, kind, floating: true };
  }
  if (VECTOR_MOVE.test(mnemonic) && vector > 0) {
    const scalar = /^mov([dq])$/.exec(mnemonic);
    const size = scalar !== null ? (scalar[1] === 'd' ? 4 : 8) : lastLetterSize(mnemonic);
    return { ...base, kind: 'move', elementSize: size, packed: scalar === null };
  }
  if (GENERAL_MOVE.test(mnemonic)) return { ...base, kind: 'move', floating: false };
  if (SHUFFLE.test(mnemonic)) return { ...base, kind: 'shuffle', elementSize: lastLetterSize(mnemonic) };
  if (COMPARE.test(mnemonic)) return { ...base, kind: 'compare', floating: false };
  if (INTEGER.test(mnemonic))
    return {
      ...base,
      kind: 'integer',
      floating: false,
      elementSize: vector > 0 ? lastLetterSize(mnemonic) : undefined,
    };
  return { ...base, kind: 'other' };
}

type Base = Omit<Shape, 'kind'>;

function floatShape(mnemonic: string, base: Base): Shape | undefined {
  const [, stem, suffix] = FLOAT.exec(mnemonic) ?? [];
  if (stem === undefined) return undefined;
  const elementSize = suffix === 'nepbf16' ? 2 : SUFFIX_SIZES[suffix[1]];
  const packed = suffix[0] !== 's';
  const float = { ...base, elementSize, floating: true, packed };
  if (ADD.test(stem)) return { ...float, kind: 'fa' };
  if (MULTIPLY.test(stem)) return { ...float, kind: 'fm' };
  if (FUSED.test(stem)) return { ...float, kind: 'fma' };
  if (MISC.test(stem)) return { ...float, kind: 'fmisc' };
  if (FLOAT_MOVE.test(stem)) {
    // Compilers move vectors of any elements with these; the shorter encoding is that of single precision.
    const vague = packed && /^mov[aun]/.test(stem);
    const half = /^mov[hl]$/.test(stem);
    return {
      ...float,
      kind: 'move',
      floating: vague ? undefined : true,
      elementSize: vague ? undefined : elementSize,
      packed: packed && !half && !stem.startsWith('broadcast'),
    };
  }
  if (FLOAT_SHUFFLE.test(stem)) return { ...float, kind: 'shuffle' };
  return undefined;
}

/** Conversions, of as many elements as the wider side has. */
function converting(mnemonic: string, base: Base): Shape {
  const packed = /p[sdh]|dq|qq|w2|2w/.test(mnemonic) && !/2si|si2|s[sdh]2s[sdh]/.test(mnemonic);
  const elementSize = /pd|qq/.test(mnemonic) ? 8 : /p[sh]|dq/.test(mnemonic) ? 4 : undefined;
  return { ...base, kind: 'fmisc', floating: true, elementSize, packed };
}

function x87Kind(mnemonic: string): WorkKind | undefined {
  if (X87_ADD.test(mnemonic)) return 'fa';
  if (X87_MULTIPLY.test(mnemonic)) return 'fm';
  if (X87_MISC.test(mnemonic)) return 'fmisc';
  return X87_MOVE.test(mnemonic) ? 'move' : undefined;
}

const LETTER_SIZES: Readonly<Record<string, number>> = { b: 1, w: 2, d: 4, q: 8 };
const lastLetterSize = (mnemonic: string): number | undefined =>
  /^(?:pand|por|pxor|pandn|ternlog|movdq|movnt|lddq|aes|sha|pshufb)/.test(mnemonic)
    ? undefined
    : LETTER_SIZES[mnemonic.at(-1)!];

function vectorBytes(instruction: Instruction): number {
  let bytes = 0;
  for (let k = 0; k < instruction.opCount; k++) {
    if (instruction.opKind(k) !== OpKind.Register) continue;
    const register = instruction.opRegister(k);
    if (RegisterExt.isVectorRegister(register) || RegisterExt.isMM(register))
      bytes = Math.max(bytes, RegisterExt.size(register));
  }
  return bytes;
}
