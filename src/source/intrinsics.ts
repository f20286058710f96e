import type { Arithmetic } from './arithmetic.ts';
import type { Graph, Node, Operation } from './graph.ts';
import type { Language } from './syntax.ts';

/** Gives the value of a call of a function that is part of the language or its library. */
type Apply = (args: readonly Node[], graph: Graph, arithmetic: Arithmetic, area: number) => Node;

const LIBRARY = new Set(
  `sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p cbrt
  hypot erf erfc tgamma lgamma gamma fmod remainder copysign ldexp scalbn logb nextafter fdim bessel_j0 bessel_j1
  sincos log_gamma`
    .trim()
    .split(/\s+/),
);
const ROUND = new Set('ceil floor trunc round rint nearbyint aint anint'.split(' '));

/** A function by its name, with `f` and `l` of C's variants; undefined for one that is not known. */
export function knownFunction(name: string, count: number, language: Language): Apply | undefined {
  const isFortran = language.startsWith('fortran');
  const plain = isFortran ? fortranName(name) : cName(name);
  const width = isFortran ? undefined : widthOf(name, plain, language);
  if (LIBRARY.has(plain))
    return (args, graph, arithmetic, area) => call(plain, floats(args, width, arithmetic, area), graph, area);
  if (ROUND.has(plain) && count >= 1) return unary('round', width);
  switch (plain) {
    case 'sqrt':
      return count === 1 ? unary('sqrt', width) : undefined;
    case 'cabs':
      return count === 1 ? (args, graph, _, area) => call('hypot', args, graph, area) : undefined;
    case 'fabs':
    case 'abs':
    case 'labs':
    case 'llabs':
      return count === 1 ? unary('abs', plain === 'fabs' ? width : undefined) : undefined;
    case 'fmin':
    case 'fmax':
    case 'min':
    case 'max':
      return count >= 2
        ? (args, graph, arithmetic, area) =>
            extreme(plain.endsWith('min') ? 'min' : 'max', args, graph, arithmetic, area)
        : undefined;
    case 'clamp':
      return !isFortran && count === 3
        ? ([of, low, high], graph, arithmetic, area) =>
            extreme(
              'min',
              [extreme('max', [of, low], graph, arithmetic, area), high],
              graph,
              arithmetic,
              area,
            )
        : undefined;
    case 'norm':
      return !isFortran && count === 1 ? squaredNorm : undefined;
    case 'arg':
    case 'polar':
      return !isFortran ? (args, graph, _, area) => call(plain, args, graph, area) : undefined;
    case 'fma':
      return count === 3 ? fused : undefined;
    case 'pow':
      return count === 2
        ? (args, _, arithmetic, area) => arithmetic.power(args[0], args[1], area)
        : undefined;
    case 'mod':
      return isFortran && count === 2
        ? (args, _, arithmetic, area) => modulo(args, arithmetic, area)
        : undefined;
    case 'lround':
    case 'lrint':
    case 'llround':
    case 'llrint':
    case 'int':
    case 'nint':
    case 'floor_int':
      return (args, _, arithmetic, area) => arithmetic.convert(args[0], 'int', 8, area);
    case 'real':
    case 'dble':
    case 'float':
    case 'sngl':
      return isFortran
        ? ([of, kind], _, arithmetic, area) => {
            // Of a complex number the kind stays what it is.
            const own = of.class === 'complex' ? of.bytes / 2 : 4;
            return arithmetic.convert(of, 'float', plain === 'dble' ? 8 : (kindOf(kind) ?? own), area);
          }
        : undefined;
    case 'sign':
      return isFortran && count === 2
        ? (args, graph, _, area) => call('copysign', args, graph, area)
        : undefined;
    case 'iand':
    case 'ior':
    case 'ieor':
      return (args, _, arithmetic, area) =>
        arithmetic.binary(plain === 'iand' ? '&' : plain === 'ior' ? '|' : '^', args[0], args[1], area);
    case 'ishft':
    case 'ishftc':
    case 'shiftl':
    case 'shiftr':
    case 'shifta':
    case 'lshift':
    case 'rshift':
    case 'rotl':
    case 'rotr':
      return count >= 2
        ? (args, _, arithmetic, area) => arithmetic.binary('<<', args[0], args[1], area)
        : undefined;
    case 'not':
      return isFortran && count === 1 ? bits : undefined;
    case 'btest':
    case 'ibset':
    case 'ibclr':
      return isFortran && count === 2
        ? (args, _, arithmetic, area) => arithmetic.binary('&', args[0], args[1], area)
        : undefined;
    case 'popcount':
    case 'popcountl':
    case 'popcountll':
    case 'popcnt':
    case 'parity':
    case 'clz':
    case 'clzl':
    case 'clzll':
    case 'ctz':
    case 'ctzl':
    case 'ctzll':
    case 'ffs':
    case 'leadz':
    case 'trailz':
    case 'countl_zero':
    case 'countr_zero':
    case 'bit_width':
    case 'bswap16':
    case 'bswap32':
    case 'bswap64':
    case 'byteswap':
      return count === 1 ? bits : undefined;
    case 'move':
    case 'forward':
    case 'as_const':
      return isFortran || count !== 1 ? undefined : ([of]) => of;
    case 'merge':
      return isFortran && count === 3
        ? (args, graph, _, area) =>
            graph.make(
              { op: 'phi', inputs: args.map(({ id }) => id), class: args[0].class, bytes: args[0].bytes },
              area,
            )
        : undefined;
    case 'creal':
    case '.real':
    case 'cimag':
    case '.imag':
    case 'imag':
    case 'aimag':
      return (args, _, arithmetic, area) => arithmetic.part(args[0], /im/.test(plain) ? 'im' : 're', area);
    case 'conj':
    case 'conjg':
      return (args, _, arithmetic, area) =>
        args[0].class === 'complex'
          ? arithmetic.pair(
              arithmetic.part(args[0], 're', area),
              arithmetic.negate(arithmetic.part(args[0], 'im', area), area),
              args[0].bytes,
              area,
            )
          : args[0];
    case 'cmplx':
    case 'dcmplx':
      return isFortran
        ? (args, graph, arithmetic, area) => complexOf(args, plain, graph, arithmetic, area)
        : undefined;
    // What asks about an object and does nothing.
    case '.size':
    case '.length':
    case '.empty':
    case '.end':
    case '.cend':
    case '.rend':
    case '.crend':
    case '.rows':
    case '.cols':
    case 'size':
    case 'lbound':
    case 'ubound':
    case 'strlen_constant':
    case 'isnan':
    case 'isfinite':
    case 'isinf':
    case 'signbit':
    case 'prefetch':
    case 'unreachable':
    case 'assert':
    case 'kind':
    case 'epsilon':
    case 'huge':
    case 'tiny':
      return (args, graph, _, area) => asked(plain, args, graph, area);
    default:
      return undefined;
  }
}

/** Of a function that takes one type only: C's have it in their names, C++ has one for each type under C's name. */
function widthOf(name: string, plain: string, language: Language): number | undefined {
  if (plain !== name && /f$/.test(name)) return 4;
  if (plain !== name && /l$/.test(name)) return 16;
  return language === 'c' && !/^(?:l?labs|abs|min|max|isnan|isinf|isfinite)$/.test(plain) ? 8 : undefined;
}

const cName = (name: string): string => {
  if (/^(?:fmaf|fmal|fabsf|fabsl|fminf|fmaxf|fminl|fmaxl)$/.test(name)) return name.slice(0, -1);
  const base = name.replace(/^__builtin_/, '');
  if (/^(?:creal|cimag|conj)[fl]$/.test(base)) return base.slice(0, -1);
  const short = base.replace(/[fl]$/, '');
  const isVariant =
    short !== base &&
    (LIBRARY.has(short) || ROUND.has(short) || /^(?:sqrt|pow|l?l(?:rint|round))$/.test(short));
  return isVariant && !LIBRARY.has(base) && !ROUND.has(base) ? short : base;
};

/** The specific names of old Fortran: `dsqrt`, `alog`, `amax1`. */
function fortranName(name: string): string {
  const special = FORTRAN_NAMES.get(name);
  if (special !== undefined) return special;
  const rest = name.slice(1);
  const isSpecific = /^[dcz]/.test(name) && (LIBRARY.has(rest) || ['sqrt', 'abs'].includes(rest));
  return isSpecific && !LIBRARY.has(name) ? rest : name;
}

const FORTRAN_NAMES: ReadonlyMap<string, string> = new Map([
  ['dimag', 'aimag'],
  ['dconjg', 'conjg'],
  ['dreal', 'dble'],
  ['alog', 'log'],
  ['alog10', 'log10'],
  ['amax1', 'max'],
  ['amin1', 'min'],
  ['dmax1', 'max'],
  ['dmin1', 'min'],
  ['max0', 'max'],
  ['min0', 'min'],
  ['iabs', 'abs'],
  ['amod', 'mod'],
  ['dmod', 'mod'],
  ['dsign', 'sign'],
  ['isign', 'sign'],
  ['ifix', 'int'],
  ['idint', 'int'],
  ['idnint', 'nint'],
  ['dfloat', 'dble'],
  ['modulo', 'mod'],
  ['ceiling', 'int'],
  ['floor', 'int'],
  ['dint', 'aint'],
  ['dnint', 'anint'],
  ['xor', 'ieor'],
]);

const unary =
  (op: Operation, width: number | undefined): Apply =>
  (args, _, arithmetic, area) => {
    const [of] = floats(args.slice(0, 1), width, arithmetic, area);
    const isRoot = op === 'sqrt' || op === 'round';
    const value = isRoot && of.class === 'int' ? arithmetic.convert(of, 'float', 8, area) : of;
    return arithmetic.unary(op, value, area);
  };

/** The double functions of C take a float only after conversion; C++ and Fortran choose by the argument. */
function floats(
  args: readonly Node[],
  width: number | undefined,
  arithmetic: Arithmetic,
  area: number,
): readonly Node[] {
  return args.map((each) =>
    width !== undefined && (each.class === 'float' || each.class === 'int')
      ? arithmetic.convert(each, 'float', Math.max(width, each.class === 'float' ? each.bytes : 0), area)
      : each,
  );
}

function call(name: string, args: readonly Node[], graph: Graph, area: number): Node {
  const bytes = Math.max(...args.map((each) => (each.class === 'float' ? each.bytes : 0))) || 8;
  return graph.make({ op: 'function', inputs: args.map(({ id }) => id), class: 'float', bytes, name }, area);
}

function extreme(
  op: 'min' | 'max',
  args: readonly Node[],
  graph: Graph,
  arithmetic: Arithmetic,
  area: number,
): Node {
  const isFloat = args.some((each) => each.class === 'float');
  const bytes = Math.max(...args.map((each) => (isFloat && each.class !== 'float' ? 0 : each.bytes)));
  const cls = isFloat ? 'float' : args[0].class;
  const same = isFloat ? args.map((each) => arithmetic.convert(each, 'float', bytes, area)) : args;
  return same
    .slice(1)
    .reduce(
      (left, right) => graph.make({ op, inputs: [left.id, right.id], class: cls, bytes }, area),
      same[0],
    );
}

const fused: Apply = (args, graph, arithmetic, area) => {
  const bytes = Math.max(...args.map((each) => (each.class === 'float' ? each.bytes : 0))) || 8;
  const inputs = args.map((each) => arithmetic.convert(each, 'float', bytes, area).id);
  return graph.make({ op: 'fma', inputs, class: 'float', bytes }, area);
};

/** One instruction of an integer's bits: counting, reversing, inverting them. */
const bits: Apply = ([of], graph, _, area) =>
  graph.make({ op: 'not', inputs: [of.id], class: 'int', bytes: of.bytes }, area);

/** Of a complex number, as C++ has it: the sum of its parts' squares. */
const squaredNorm: Apply = ([of], _, arithmetic, area) => {
  const [real, imaginary] = (['re', 'im'] as const).map((name) => arithmetic.part(of, name, area));
  const square = arithmetic.binary('*', real, real, area);
  if (of.class !== 'complex') return square;
  return arithmetic.binary('+', square, arithmetic.binary('*', imaginary, imaginary, area), area);
};

/** cmplx(real, imaginary, kind) */
function complexOf(
  [first, second, kind]: readonly Node[],
  name: string,
  graph: Graph,
  arithmetic: Arithmetic,
  area: number,
): Node {
  if (first.class === 'complex') return first;
  const bytes = name === 'dcmplx' ? 8 : (kindOf(kind) ?? 4);
  const imaginary = second ?? graph.number(0, 'float', bytes);
  return arithmetic.pair(
    arithmetic.convert(first, 'float', bytes, area),
    arithmetic.convert(imaginary, 'float', bytes, area),
    2 * bytes,
    area,
  );
}

const modulo = (args: readonly Node[], arithmetic: Arithmetic, area: number): Node =>
  args[0].class === 'float'
    ? arithmetic.unary('round', args[0], area)
    : arithmetic.binary('%', args[0], args[1], area);

const kindOf = (node: Node | undefined): number | undefined =>
  node?.op === 'constant' ? node.value : undefined;

function asked(name: string, args: readonly Node[], graph: Graph, area: number): Node {
  const isTest = /^is/.test(name) && args[0]?.class === 'float';
  return graph.make(
    isTest
      ? {
          op: 'compare',
          inputs: args.map(({ id }) => id),
          class: 'int',
          bytes: args[0].bytes,
          name: 'float !=',
        }
      : { op: 'entry', inputs: [], class: 'int', bytes: 8, name },
    area,
  );
}
