import type { GuestMemory } from '../../guest/memory.ts';
import type { Kernel } from '../../linux/kernel.ts';
import type { Wait } from '../../linux/not-yet.ts';
import type { BornProcess } from '../../linux/system.ts';
import type { GuestExit } from '../../observation/observation.ts';
import type { MappedModule } from '../contexts/modules.ts';
import type { LanesLedger } from '../memory/lanes-ledger.ts';
import type { PendingCall } from '../threads/threads.ts';

/** A process as those see it that run several, and those that are copied from it. */
export interface Process {
  readonly kernel: Kernel;
  readonly memory: GuestMemory;
  readonly lanes: LanesLedger | undefined;
  /** The ELF entry: nobody called it, so it has no return address. */
  readonly programEntry: number;
  /** Instructions it has retired. */
  executed(): number;
}

/** Who runs several processes. */
export interface Family {
  /** A process has started another. */
  born(parent: Process, born: BornProcess, call: PendingCall): void;
  /** A process becomes another program; what it is before has ended. */
  replaced(process: Process, counts: PassCounts): void;
  /** Instructions of all processes but the one that runs. */
  elsewhere(): number;
  /** Whether there are other processes, and whether one of them can run. */
  readonly isShared: boolean;
  areOthersReady(process: Process): boolean;
}

/** Where a process begins that another one started. */
export interface Origin {
  readonly parent: Process;
  readonly born: BornProcess;
  readonly call: PendingCall;
  /** Whether steps are copied, too; the spaces' plans are the same then. */
  readonly isMeasured: boolean;
}

/** What is known of a program when it is over. */
export interface PassCounts {
  /** As the command, or execve, named it. */
  readonly program: string;
  readonly instructions: number;
  readonly cycles: number;
  /** Files that it mapped executable. */
  readonly modules: readonly MappedModule[];
}

/** How a process's turn ended. */
export type Turn =
  | { readonly kind: 'ended'; readonly exit: GuestExit }
  | { readonly kind: 'waits'; readonly wait: Wait }
  | { readonly kind: 'yields' };
