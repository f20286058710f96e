/** linux/sched.h. */
export const CLONE_VM = 0x100n;
export const CLONE_SIGHAND = 0x800n;
export const CLONE_THREAD = 0x1_0000n;
export const CLONE_SETTLS = 0x8_0000n;
export const CLONE_PARENT_SETTID = 0x10_0000n;
export const CLONE_CHILD_CLEARTID = 0x20_0000n;
export const CLONE_CHILD_SETTID = 0x100_0000n;

/** What clone, clone3, fork and vfork are asked for. */
export interface CloneRequest {
  readonly call: string;
  readonly number: number;
  readonly flags: bigint;
  readonly exitSignal: number;
  /** What rsp is in the child; 0 for what it is in the parent. */
  readonly stackPointer: bigint;
  /** Where the child's stack lies, if that was said. */
  readonly stack?: { readonly start: number; readonly end: number };
  readonly parentWord: number;
  readonly childWord: number;
  /** Of CLONE_PIDFD. */
  readonly descriptorWord: number;
  readonly tls: bigint;
}
