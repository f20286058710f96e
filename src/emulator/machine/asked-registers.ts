import type { RegisterName } from '../../linux/system.ts';
import { FS_BASE, GS_BASE, RSP } from '../../x86/state.ts';

/** The variables of the registers that the kernel asks for. */
export const ASKED_REGISTERS: Readonly<Record<RegisterName, number>> = { rsp: RSP, fs: FS_BASE, gs: GS_BASE };
