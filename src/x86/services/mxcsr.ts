import { checkMxcsr } from '../float/helpers.ts';
import { decodeOperand } from '../operand-code.ts';
import { type Machine, type Service, ServiceFault } from '../service.ts';
import { MXCSR, MXCSR_STATUS, VARIABLES } from '../state.ts';

const DESTINATIONS = [VARIABLES[MXCSR].location ?? []].flat();
const STATUS = 0x3f;
const RESERVED = 0xffff_0000;

/** Sets MXCSR, in a mode that the machine can run. */
export function setMxcsr(machine: Machine, value: number): void {
  if ((value & RESERVED) !== 0) throw new ServiceFault('general-protection');
  const control = value & ~STATUS;
  machine.writeI32(MXCSR, machine.followsMxcsr ? control : checkMxcsr(control));
  machine.writeI32(MXCSR_STATUS, value & STATUS);
}

/** ldmxcsr, which ends its block because blocks are lifted for one mode of MXCSR. Argument: the operand. */
export const loadMxcsr: Service = (machine, argument) => {
  const { address, sources } = decodeOperand(machine, argument);
  const { data, at } = machine.memory.placeToRead(address, 4);
  setMxcsr(machine, data.getUint32(at, true));
  return {
    sources,
    destinations: DESTINATIONS,
    loads: [{ address: Number(address), length: 4 }],
    stores: [],
  };
};
