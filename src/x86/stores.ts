import { type Instruction, InstructionInfoFactory, OpAccess, Register, type UsedMemory } from 'iced-x86';

/** Made when it is first asked: that compiles the decoder's WebAssembly, of which programs that were measured before need nothing. */
let infos: InstructionInfoFactory | undefined;

/** Accesses to what an operand names that write it, perhaps. */
export const WRITING: ReadonlySet<OpAccess> = new Set([
  OpAccess.Write,
  OpAccess.CondWrite,
  OpAccess.ReadWrite,
  OpAccess.ReadCondWrite,
]);

/** Whether the instruction may store somewhere that rsp does not point to. */
export function storesElsewhere(instruction: Instruction): boolean {
  return accesses(instruction, ({ access, base }) => WRITING.has(access) && base !== Register.RSP);
}

/** Whether the instruction loads and stores one place: the processor asks at once whether it may do both. */
export function modifies(instruction: Instruction): boolean {
  return accesses(
    instruction,
    ({ access }) => access === OpAccess.ReadWrite || access === OpAccess.ReadCondWrite,
  );
}

function accesses(instruction: Instruction, isSo: (memory: UsedMemory) => boolean): boolean {
  infos ??= new InstructionInfoFactory();
  const info = infos.info(instruction);
  const memory = info.usedMemory() as UsedMemory[];
  const found = memory.some(isSo);
  for (const each of memory) each.free();
  info.free();
  return found;
}
