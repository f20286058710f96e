import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { interpret } from '../../src/ir/interpreter.ts';
import type { Access } from '../../src/ir/node.ts';
import { NARROW } from '../../src/translate/steps/lane-shape.ts';
import { INTEGER_ROWS } from '../../src/x86/lift/rows.ts';
import { AVX_ROWS, EXTENSION_ROWS, SSE_ROWS } from '../../src/x86/lift/sse.ts';
import { STRING_ROWS } from '../../src/x86/lift/string.ts';
import { X87_ROWS } from '../../src/x86/lift/x87.ts';
import { LOCATIONS, MXCSR, VARIABLES } from '../../src/x86/state.ts';
import { PageFault } from '../reference/machine.ts';
import { CaseMachine, liftCase } from './native/emulated.ts';
import { type Example, example, type Form, formsOf } from './native/forms.ts';
import { HandlerRunner, type Step, Stopped } from './native/handled.ts';
import { Random } from './native/random.ts';
import { DATA_ADDRESS, DATA_MARGIN, DATA_SIZE, FX_CONTROL, FX_STATUS, FX_TAGS } from './native/state.ts';

/**
 * Every form, with operands in many registers and addressing modes, run by the handler of its form and by the interpreter
 * of the IR on the block lifted for the instruction itself: values, and steps after rule 5.
 */
const CASES = Number(process.env.ILP_GATE_CASES ?? 12);
const SEED = Number(process.env.ILP_GATE_SEED ?? 1);

const ROWS = new Set([
  ...INTEGER_ROWS.keys(),
  ...[...SSE_ROWS, ...EXTENSION_ROWS, ...AVX_ROWS, ...X87_ROWS, ...STRING_ROWS].map(([mnemonic]) => mnemonic),
]);

describe('handlers of forms do what the lifted instructions do', () => {
  const runner = new HandlerRunner();
  const forms = formsOf((form) => ROWS.has(form.mnemonic));

  it(`in values and steps (${forms.length} forms, seed ${SEED})`, () => {
    let compared = 0;
    const found: string[] = [];
    for (const form of forms) {
      const random = new Random(SEED * 100_003 + form.code);
      for (let n = 0; n < CASES; n++) {
        const made = draw(form, random);
        if (made === undefined) continue;
        const difference = differenceOf(runner, made, random);
        if (difference === undefined) continue;
        compared++;
        if (difference !== '') found.push(`${form.name}: ${made.text}: ${difference}`);
      }
    }
    expect(found.slice(0, 12)).toEqual([]);
    expect(compared).toBeGreaterThan(forms.length * CASES * 0.5);
  });
});

function draw(form: Form, random: Random): Example | undefined {
  let made: Example | undefined;
  try {
    made = example(form, random);
  } catch {
    return undefined;
  }
  if (made === undefined) return undefined;
  const { fx } = made.before;
  const top = random.below(8);
  fx.setUint16(FX_CONTROL, 0x7f | (random.below(16) << 8), true);
  fx.setUint16(FX_STATUS, (random.below(128) & 0x7f) | (top << 11) | 0x4700, true);
  fx.setUint8(FX_TAGS, random.below(6) === 0 ? random.below(256) : 0xff & ~(1 << ((top + 7) & 7)));
  for (let i = 0; i < 8; i++) {
    const st = made.before.st(i);
    st.set(random.bytes(10));
    // Transcendental functions take long where their operands are out of range.
    if (random.chance(70) || /^F(2xm1|yl2x|patan)/.test(form.name)) {
      st[7] |= 0x80;
      st[8] = 0xfc + random.below(3);
      st[9] = random.chance(50) ? 0x3f : 0xbf;
    }
  }
  return made;
}

/** Undefined when there is nothing to compare: services and what is not supported. */
function differenceOf(runner: HandlerRunner, made: Example, random: Random): string | undefined {
  const block = liftCase(made);
  if (block.terminator.kind === 'service' || block.terminator.kind === 'unsupported') return undefined;
  const machine = new CaseMachine(made.before);
  runner.randomSteps(random);
  for (const [variable, { type }] of VARIABLES.entries())
    if (type === 'v128') runner.machine.v128(variable).set(machine.get(variable) as Uint8Array);
    else if (type === 'i64') runner.machine.writeI64(variable, machine.get(variable) as bigint);
    else runner.machine.writeI32(variable, machine.get(variable) as number);
  const start = DATA_ADDRESS - DATA_MARGIN;
  const size = DATA_SIZE + 2 * DATA_MARGIN;
  runner.guest.bytes.set(machine.memory.read(BigInt(start), size), start);

  const locations = Array.from({ length: LOCATIONS }, (_, l) => runner.location(l));
  const floor = runner.floor();
  let outcome: string;
  let run: ReturnType<typeof interpret> | undefined;
  try {
    run = interpret(block, machine);
    outcome =
      run.outcome.kind === 'fault'
        ? run.outcome.fault
        : run.outcome.kind === 'unsupported' || run.outcome.kind === 'service'
          ? 'none'
          : `to ${run.outcome.target}`;
  } catch (error) {
    if (!(error instanceof PageFault) && !(error instanceof Failure)) throw error;
    outcome = error instanceof Failure ? error.code : 'page-fault';
  }
  // Sources are looked up before the instruction runs.
  const expected: { cycle: Step; stores: [number, number][] } | undefined =
    !outcome.startsWith('to') || block.instructions.length === 0 ? undefined : cycleOf();
  function cycleOf() {
    const [instruction] = block.instructions;
    const cycle = [...floor];
    const raise = (step: Step) => {
      for (let lane = 0; lane < 4; lane++) cycle[lane] = Math.max(cycle[lane], step[lane]);
    };
    const range = (access: {
      address: Parameters<NonNullable<typeof run>['value']>[0];
      size: number;
    }): [number, number] => [Number(BigInt.asUintN(64, run!.value(access.address) as bigint)), access.size];
    for (const location of instruction.sources) raise(locations[location]);
    const isDone = ({ when }: Access) => when === undefined || run!.value(when) !== 0;
    for (const access of instruction.loads.filter(isDone)) {
      const [at, bytes] = range(access);
      for (let i = 0; i < bytes; i++) raise(runner.byte(at + i));
    }
    return {
      cycle: cycle.map((c) => c + NARROW.cycle),
      stores: instruction.stores.filter(isDone).map(range),
    };
  }
  const before = new Map<number, Step>();
  for (let at = start; at < start + size; at += 1)
    if (near(expected?.stores, at)) before.set(at, runner.byte(at));

  let ours: string;
  try {
    ours = `to ${runner.run(made.code, runner.machine.readI32(MXCSR))}`;
  } catch (error) {
    if (!(error instanceof Stopped) && !(error instanceof Failure)) throw error;
    ours = error instanceof Failure ? error.code : error.fault;
  }
  if (ours !== outcome) return `${ours}, expected ${outcome}`;
  for (const [variable, { name, type }] of VARIABLES.entries()) {
    const [x, y] =
      type === 'v128'
        ? [runner.machine.v128(variable), machine.get(variable) as Uint8Array].map((v) =>
            Buffer.from(v).toString('hex'),
          )
        : [
            type === 'i64' ? runner.machine.readI64(variable) : runner.machine.readI32(variable),
            machine.get(variable),
          ];
    if (x !== y) return `${name} is ${x}, expected ${y}`;
  }
  if (
    Buffer.compare(
      runner.guest.bytes.subarray(start, start + size),
      machine.memory.read(BigInt(start), size),
    ) !== 0
  )
    return 'memory differs';
  if (expected === undefined) return '';
  const [instruction] = block.instructions;
  for (let l = 0; l < LOCATIONS; l++) {
    const wanted = instruction.destinations.includes(l) ? expected.cycle : locations[l];
    if (runner.location(l).join() !== wanted.join())
      return `step of location ${l} is ${runner.location(l)}, expected ${wanted}`;
  }
  for (const [at, old] of before) {
    const written = expected.stores.some(([from, length]) => at >= from && at < from + length);
    const wanted = written ? expected.cycle : old;
    if (runner.byte(at).join() !== wanted.join())
      return `step of byte ${at} is ${runner.byte(at)}, expected ${wanted}`;
  }
  const largest = [floor, expected.cycle, ...locations].reduce((a, b) =>
    a.map((c, lane) => Math.max(c, b[lane])),
  );
  if (runner.maximum().join() !== largest.join())
    return `the largest step is ${runner.maximum()}, expected ${largest}`;
  return '';
}

const near = (stores: [number, number][] | undefined, at: number): boolean =>
  stores?.some(([from, length]) => at >= from - 8 && at < from + length + 8) === true;
