import { fromSandbox } from '../signals/information.ts';
import { force } from '../signals/pending.ts';
import { SIGKILL, SIGSYS } from '../signals/sets.ts';
import type { Sandbox } from '../state.ts';
import type { Control, System } from '../system.ts';
import { run } from './program.ts';

/** What a process lets itself do no more: seccomp(2). */

export const NO_SANDBOX: Sandbox = { isStrict: false, filters: [] };

/** SECCOMP_RET_*, and what is left of it for the program to say. */
const ACTION = 0xffff_0000;
export const ACTIONS = {
  killProcess: 0x8000_0000,
  killThread: 0x0000_0000,
  trap: 0x0003_0000,
  errno: 0x0005_0000,
  notify: 0x7fc0_0000,
  trace: 0x7ff0_0000,
  log: 0x7ffc_0000,
  allow: 0x7fff_0000,
} as const;
const MOST_ERRNO = 4095;
const ENOSYS = 38;

/** read, write, rt_sigreturn, exit. */
const STRICT: readonly number[] = [0, 1, 15, 60];
const AUDIT_ARCH_X86_64 = 0xc000_003e;

/** What happens instead of the call; undefined where it may be made. */
export function sandboxed(
  system: System,
  number: number,
  args: readonly bigint[],
): number | bigint | Control | undefined {
  const { sandbox, threads } = system.state;
  if (sandbox.isStrict) return STRICT.includes(number) ? undefined : { kind: 'signal', signal: SIGKILL };
  const data = new DataView(new ArrayBuffer(64));
  data.setInt32(0, number, true);
  data.setUint32(4, AUDIT_ARCH_X86_64, true);
  // Where the call was made stays 0.
  args.slice(0, 6).forEach((argument, i) => {
    data.setBigUint64(16 + 8 * i, BigInt.asUintN(64, argument), true);
  });
  // Of what several say the strictest holds, as signed numbers; of the same, what the last one says.
  const said = sandbox.filters.map((program) => run(program, data)).reverse();
  const verdict = said.reduce(
    (least, each) => ((each & ACTION) < (least & ACTION) ? each : least),
    ACTIONS.allow,
  );
  const detail = verdict & 0xffff;
  switch ((verdict & ACTION) >>> 0) {
    case ACTIONS.allow:
    case ACTIONS.log:
      return undefined;
    case ACTIONS.errno:
      return -Math.min(detail, MOST_ERRNO);
    case ACTIONS.trap:
      force(system.state, fromSandbox(SIGSYS, number, AUDIT_ARCH_X86_64));
      return number;
    // Nobody traces, and nobody is asked.
    case ACTIONS.trace:
    case ACTIONS.notify:
      return -ENOSYS;
    case ACTIONS.killThread:
      return threads.size > 1 ? { kind: 'thread-exit' } : { kind: 'signal', signal: SIGSYS };
    default:
      return { kind: 'signal', signal: SIGSYS };
  }
}
