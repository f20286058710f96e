import type { Machine } from '../../machines/machine.ts';
import type { LoopCause } from '../../profile/loops.ts';
import { chainOf } from './chains.ts';
import { type Context, shows } from './context.ts';
import type { Change } from './what-if.ts';
import { listed, printed } from './words.ts';

/** Less of MACS is not looked into: a schedule of the model is not that exact. */
const LEAST_SHARE = 0.02;

/** Gap S, from MAC to MACS: which part of the machine, if it did not hold anything up, would bring the schedule nearer to MAC. */
export function causesOfS(context: Context, gap: number): readonly LoopCause[] {
  const { bounds, whatIf, unroll } = context;
  if (!shows(gap) || gap < LEAST_SHARE * bounds.MACS || whatIf.paths().length === 0) return [];
  const base = whatIf.MACS({});
  const least = bounds.MAC * unroll;
  const closes = (change: Change, machine?: Machine): number => {
    const cycles = (base - Math.max(least, whatIf.MACS(change, machine))) / unroll;
    return Math.min(gap, cycles);
  };
  const [unchained, anyPort] = [closes({ unchained: true }), closes({ anyPort: true })];
  const wide = closes({}, withWindows(context.machine));
  const causes = [
    ...chain(context, unchained),
    ...ports(context, anyPort),
    // Larger windows hide much: they are what is missing where nothing else helps as much.
    ...windows(context, wide > Math.max(unchained, anyPort) ? wide : 0),
    ...frontEnd(context, closes({ unbroken: true }, withFrontEnd(context.machine))),
    ...forwarding(context, closes({ forwarded: true })),
  ];
  const most = Math.max(0, ...causes.map(({ cycles }) => cycles ?? 0));
  if (most >= gap / 2) return causes;
  return [
    ...causes,
    context.cause('S', 'schedule', {
      text: 'No part of the machine alone holds the schedule up: dependences, ports and windows do so together',
      advice: 'Unroll the loop, so that there are more independent instructions to choose from',
      cycles: gap - most,
    }),
  ];
}

function withWindows(machine: Machine): Machine {
  const { window } = machine;
  const wide = { ...window, reorder: window.reorder * 4, scheduler: window.scheduler * 4 };
  return {
    ...machine,
    window: { ...wide, decodedQueue: window.decodedQueue * 4, loads: 4096, stores: 4096 },
  };
}

function withFrontEnd(machine: Machine): Machine {
  const width = machine.issue.width * 4;
  return { ...machine, uopCache: { ...machine.uopCache, width } };
}

function chain(context: Context, cycles: number): readonly LoopCause[] {
  const found = chainOf(context);
  if (found === undefined || cycles <= 0 || !shows(cycles)) return [];
  const { text, advice, instructions, isLoadChain } = found;
  return [
    context.cause('S', isLoadChain ? 'load-chain' : 'latency-bound-recurrence', {
      text: `${text}, and other instructions delay it`,
      advice,
      at: instructions.map(({ address }) => address),
      cycles,
    }),
  ];
}

function ports(context: Context, cycles: number): readonly LoopCause[] {
  if (cycles <= 0 || !shows(cycles)) return [];
  const { port, users } = busiest(context);
  const words = [...new Set(users.map(({ mnemonic }) => mnemonic))];
  return [
    context.cause('S', 'port-contention', {
      text: `Instructions wait for one another at port ${port}: ${listed(words.slice(0, 5))}`,
      advice: 'Use fewer of these instructions in an iteration, or unroll, so that others can go before them',
      at: users.map(({ address }) => address),
      cycles,
    }),
  ];
}

/** The port that most is for, each micro-operation spread evenly over the ports that can do it. */
function busiest({ whatIf }: Context) {
  const load = new Map<string, number>();
  const paths = whatIf.paths();
  for (const { body, share } of paths)
    for (const uop of body.uops)
      for (const port of uop.ports) load.set(port, (load.get(port) ?? 0) + share / uop.ports.length);
  let port = '';
  for (const [each, amount] of load) if (port === '' || amount > load.get(port)! + 1e-9) port = each;
  const { body, code } = paths.reduce((a, b) => (b.share > a.share ? b : a));
  const at = new Set(body.uops.flatMap((uop) => (uop.ports.includes(port) ? [uop.instruction] : [])));
  return { port, users: [...at].map((each) => code.instructions[each]) };
}

function windows(context: Context, cycles: number): readonly LoopCause[] {
  if (cycles <= 0 || !shows(cycles)) return [];
  const { reorder, scheduler } = context.machine.window;
  return [
    context.cause('S', 'window', {
      text: `The windows are too small to see enough independent instructions: ${reorder} in flight, ${scheduler} waiting`,
      advice:
        'Bring independent operations closer together: split the loop or interleave what does not depend on one another',
      cycles,
    }),
  ];
}

function frontEnd(context: Context, cycles: number): readonly LoopCause[] {
  if (cycles <= 0 || !shows(cycles)) return [];
  const { whatIf, machine } = context;
  const { body } = whatIf.paths().reduce((a, b) => (b.share > a.share ? b : a));
  const taken = body.breaks.length;
  return [
    context.cause('S', 'front-end', {
      text: `Instructions do not come fast enough: ${printed(body.slots.length)} slots at ${machine.uopCache.width} a cycle, with ${taken === 1 ? 'a taken branch' : `${taken} taken branches`} an iteration`,
      advice: 'Unroll the loop, and keep branches that are mostly taken out of it',
      cycles,
    }),
  ];
}

function forwarding(context: Context, cycles: number): readonly LoopCause[] {
  if (cycles <= 0 || !shows(cycles)) return [];
  return [
    context.cause('S', 'store-forwarding', {
      text: 'A load takes bytes that several stores wrote, or more than one wrote, so that it waits until they are in the cache',
      advice: 'Load and store elements of one size, or leave several iterations between them',
      cycles,
    }),
  ];
}
