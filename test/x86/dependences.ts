import { VARIABLES } from '../../src/x86/state.ts';
import { liftCase } from './native/emulated.ts';
import { State } from './native/state.ts';

/** Locations by the name of their first variable. */
function named(locations: readonly number[]): string {
  return locations.map((at) => VARIABLES.find(({ location }) => location === at)?.name).join(' ');
}

/** `sources -> destinations`, with memory as its size. */
export function dependences(code: Uint8Array): string {
  const [instruction] = liftCase({ code, before: State.initial() }).instructions;
  const memory = (accesses: readonly { size: number }[]) => accesses.map(({ size }) => `[${size}]`);
  const side = (locations: readonly number[], accesses: readonly { size: number }[]) =>
    [named(locations), ...memory(accesses)].filter((text) => text !== '').join(' ');
  return `${side(instruction.sources, instruction.loads)} -> ${side(instruction.destinations, instruction.stores)}`;
}
