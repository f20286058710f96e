import type { IsaLevel } from '../../base/isa-level.ts';
import type { Machine, Needs } from '../../machines/machine.ts';
import type { Step } from '../../source/demand.ts';

/** What a machine has at an instruction set level: SSE2; SSE4.1 as well; AVX2 and FMA as well. */
export interface Level {
  readonly vectorBytes: 16 | 32;
  readonly fused: boolean;
  /** Needs of an element's operation: of the whole instruction, which does `lanes` of them. */
  operation(step: Step, mostLanes: number): { readonly needs: Needs; readonly lanes: number };
  /** The same for a product and an addition as one. */
  pair(step: Step, mostLanes: number): { readonly needs: Needs; readonly lanes: number };
  /** Cycles from an address to what is loaded from it. */
  loadLatency(step: Step): number;
  /** Cycles that the result of one operation is there sooner for the other than its latency says. */
  sooner(from: Step, to: Step): number;
}

export function levelOf(machine: Machine, isa: IsaLevel): Level {
  const wide = isa === 'x86-64-v3';
  const vectorBytes = wide ? 32 : 16;
  // A table of instructions has those that the processor lacks too; its published peak tells.
  const pairs = new Set(machine.needsOf('vfmadd231pd y,y,y')?.compute.join(''));
  const fused = wide && pairs.size * 2 * 4 <= machine.flops.double;
  const find = (name: string): Needs | undefined => machine.needsOf(name);
  const best = (step: Step, vectors: readonly string[], scalars: readonly string[], mostLanes: number) => {
    const width = Math.min(mostLanes, Math.max(1, Math.floor(vectorBytes / step.bytes)));
    const options = [
      ...(width > 1 ? vectors.map((name) => ({ needs: find(name), lanes: width })) : []),
      ...scalars.map((name) => ({ needs: find(name), lanes: 1 })),
    ].filter((each): each is { needs: Needs; lanes: number } => each.needs !== undefined);
    const cost = ({ needs, lanes }: { needs: Needs; lanes: number }): number =>
      Math.max(needs.compute.length, needs.divider) / lanes;
    return (
      options.reduce<{ needs: Needs; lanes: number } | undefined>(
        (least, each) => (least === undefined || cost(each) < cost(least) ? each : least),
        undefined,
      ) ?? { needs: ADDITION(machine), lanes: width }
    );
  };
  return {
    vectorBytes,
    fused,
    loadLatency: (step) => {
      const { loadLatency, fastPointer } = machine.memory;
      // A pointer that leads to the next has the base register for itself.
      return step.class === 'float' ? loadLatency[1] : loadLatency[0] - (fastPointer ? 1 : 0);
    },
    sooner: (from, to) => {
      const [form, next] = [from, to].map((step) => {
        const { vectors, scalars } = formsOf(step, isa);
        return scalars[0] ?? vectors[0];
      });
      return form === undefined || next === undefined ? 0 : machine.soonerFor(form, next);
    },
    operation: (step, mostLanes) => {
      const { vectors, scalars } = formsOf(step, isa);
      return best(step, vectors, scalars, step.bytes > 8 ? 1 : mostLanes);
    },
    pair: (step, mostLanes) => {
      const suffix = step.bytes === 4 ? 's' : 'd';
      return best(step, [`vfmadd231p${suffix} y,y,y`], [`vfmadd231s${suffix} x,x,x`], mostLanes);
    },
  };
}

/** What an operation without an instruction of its own takes at least. */
const ADDITION = (machine: Machine): Needs => machine.needsOf('add r64,r64')!;

function formsOf(
  step: Step,
  isa: IsaLevel,
): { readonly vectors: readonly string[]; readonly scalars: readonly string[] } {
  return step.class === 'float' || step.class === 'complex' ? floatForms(step, isa) : integerForms(step, isa);
}

function floatForms(step: Step, isa: IsaLevel): { vectors: readonly string[]; scalars: readonly string[] } {
  const s = step.bytes === 4 ? 's' : 'd';
  const wide = isa === 'x86-64-v3';
  const two = (name: string) => ({
    vectors: [wide ? `v${name}p${s} y,y,y` : `${name}p${s} x,x`],
    scalars: [wide ? `v${name}s${s} x,x,x` : `${name}s${s} x,x`],
  });
  switch (step.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'div':
    case 'min':
    case 'max':
      return two(step.op);
    case 'sqrt':
      return {
        vectors: [wide ? `vsqrtp${s} y,y` : `sqrtp${s} x,x`],
        scalars: [wide ? `vsqrts${s} x,x,x` : `sqrts${s} x,x`],
      };
    case 'abs':
    case 'neg': {
      const name = step.op === 'abs' ? 'and' : 'xor';
      const forms = [wide ? `v${name}p${s} y,y,y` : `${name}p${s} x,x`];
      return { vectors: forms, scalars: [wide ? `v${name}p${s} x,x,x` : `${name}p${s} x,x`] };
    }
    case 'compare':
      return {
        vectors: [wide ? `vcmpp${s} y,y,y,i` : `cmpp${s} x,x,i`],
        scalars: [wide ? `vucomis${s} x,x` : `ucomis${s} x,x`, wide ? `vcomis${s} x,x` : `comis${s} x,x`],
      };
    case 'round':
      if (isa === 'x86-64') return { vectors: [`cvttp${s}2dq x,x`], scalars: [] };
      return {
        vectors: [wide ? `vroundp${s} y,y,i` : `roundp${s} x,x,i`],
        scalars: [wide ? `vrounds${s} x,x,x,i` : `rounds${s} x,x,i`],
      };
    case 'convert':
      return conversion(step, wide);
    default:
      // Functions of the library take an operation at least.
      return two('add');
  }
}

function conversion(step: Step, wide: boolean): { vectors: readonly string[]; scalars: readonly string[] } {
  const v = wide ? 'v' : '';
  const [, kind, size] = /^from (\w+) (\d+)/.exec(step.name ?? '') ?? [];
  if (kind === 'float' && size !== undefined) {
    const name = size === '4' ? 'cvtps2pd' : 'cvtpd2ps';
    if (Number(size) !== step.bytes && step.name?.includes('float'))
      return {
        vectors: [wide ? `vcvtps2pd y,x` : `${name} x,x`],
        scalars: [
          size === '4' ? `${v}cvtss2sd x,x${wide ? ',x' : ''}` : `${v}cvtsd2ss x,x${wide ? ',x' : ''}`,
        ],
      };
    return {
      vectors: [
        size === '4'
          ? wide
            ? 'vcvttps2dq y,y'
            : 'cvttps2dq x,x'
          : wide
            ? 'vcvttpd2dq x,y'
            : 'cvttpd2dq x,x',
      ],
      scalars: [],
    };
  }
  if (size === '8') return { vectors: [], scalars: [`cvtsi2s${step.bytes === 4 ? 's' : 'd'} x,r64`] };
  return {
    vectors: [
      step.bytes === 4 ? (wide ? 'vcvtdq2ps y,y' : 'cvtdq2ps x,x') : wide ? 'vcvtdq2pd y,x' : 'cvtdq2pd x,x',
    ],
    scalars: [],
  };
}

const LETTER: Readonly<Record<number, string>> = { 1: 'b', 2: 'w', 4: 'd', 8: 'q' };

function integerForms(step: Step, isa: IsaLevel): { vectors: readonly string[]; scalars: readonly string[] } {
  const wide = isa === 'x86-64-v3';
  const size = LETTER[step.bytes] ?? 'd';
  const two = (name: string): readonly string[] => [wide ? `v${name} y,y,y` : `${name} x,x`];
  const newer = isa !== 'x86-64';
  const r = step.bytes === 8 ? 'r64' : 'r32';
  switch (step.op) {
    case 'add':
    case 'sub':
      return { vectors: two(`p${step.op}${size}`), scalars: [`${step.op} ${r},${r}`] };
    case 'mul':
      return {
        vectors:
          size === 'w'
            ? two('pmullw')
            : size === 'd' && newer
              ? two('pmulld')
              : size === 'd'
                ? two('pmuludq')
                : [],
        scalars: [`imul ${r},${r}`],
      };
    case 'and':
    case 'or':
    case 'xor':
      return { vectors: two(`p${step.op}`), scalars: [`${step.op} ${r},${r}`] };
    case 'not':
      return { vectors: two('pxor'), scalars: [`not ${r}`] };
    case 'shift':
      return {
        vectors: size === 'b' ? [] : [wide ? `vpsll${size} y,y,i` : `psll${size} x,i`],
        scalars: [`shl ${r},i`],
      };
    case 'compare':
      return { vectors: size === 'q' && !newer ? [] : two(`pcmpgt${size}`), scalars: [`cmp ${r},${r}`] };
    case 'min':
    case 'max':
      return {
        vectors:
          size === 'q' ? [] : newer || size === 'w' ? two(`p${step.op}s${size}`) : two(`pcmpgt${size}`),
        scalars: [`cmp ${r},${r}`],
      };
    case 'abs':
      return {
        vectors:
          size === 'q' || !newer ? two(`psub${size}`) : [wide ? `vpabs${size} y,y` : `pabs${size} x,x`],
        scalars: [`neg ${r}`],
      };
    case 'neg':
      return { vectors: two(`psub${size}`), scalars: [`neg ${r}`] };
    case 'div':
    case 'remainder':
      // A shift, or a product and a shift.
      if (step.name === 'by constant') return { vectors: two('psubd'), scalars: [`shl ${r},i`] };
      return { vectors: [], scalars: [`idiv ${r}`] };
    default:
      return { vectors: [], scalars: [`add ${r},${r}`] };
  }
}
