import { Code, Mnemonic, OpKind } from 'iced-x86';
import { RCX, ZR } from '../state.ts';
import { conditionOf } from './condition.ts';
import type { Lift } from './context.ts';
import { farCall, farJump } from './far.ts';
import type { Row, Rows } from './row.ts';
import { pop, push } from './stack.ts';

/** Jumps and calls. Nothing waits for them (rule 7), but they execute in their own cycle like any instruction. */
function jump(c: Lift): void {
  if (c.instruction.opKind(0) === OpKind.NearBranch64) c.end({ kind: 'jump', target: target(c) });
  else if (c.instruction.isJmpFarIndirect) farJump(c);
  else c.end({ kind: 'indirect-jump', target: c.read(0) });
}

function call(c: Lift): void {
  if (c.instruction.isCallFarIndirect) {
    farCall(c);
    return;
  }
  const next = c.b.nextAddress;
  const destination = c.instruction.opKind(0) === OpKind.NearBranch64 ? target(c) : c.read(0);
  push(c, c.next(), 8);
  c.end({ kind: 'call', target: destination, next });
}

function ret(c: Lift): void {
  const extra = c.instruction.opCount === 0 ? 0n : c.immediate(0) & 0xffffn;
  c.end({ kind: 'return', target: pop(c, 8, extra) });
}

function branch(c: Lift): void {
  c.end({ kind: 'branch', condition: conditionOf(c), taken: target(c), next: c.b.nextAddress });
}

/** jrcxz and jecxz: the address size tells the register. */
function branchIfCountZero(name: 'rcx' | 'ecx'): Row {
  return (c) => {
    const rcx = c.b.get(RCX);
    const condition =
      name === 'rcx' ? c.b.op('i64.eqz', rcx) : c.b.op('i32.eqz', c.b.op('i32.wrap_i64', rcx));
    c.end({ kind: 'branch', condition, taken: target(c), next: c.b.nextAddress });
  };
}

/** loop, loope and loopne count rcx (ecx with an address-size prefix) down without touching the flags. */
function loop(zero: boolean | undefined): Row {
  return (c) => {
    const { b } = c;
    const narrow = NARROW_LOOPS.has(c.instruction.code);
    const count = b.op('i64.sub', b.get(RCX), b.i64(1));
    const rcx = narrow ? b.op('i64.and', count, b.i64(0xffff_ffffn)) : count;
    b.set(RCX, rcx);
    const more = b.op('i64.ne', rcx, b.i64(0));
    const zf = zero === undefined ? undefined : b.op('i64.eqz', b.get(ZR));
    const condition =
      zf === undefined ? more : b.op('i32.and', more, zero === true ? zf : b.op('i32.eqz', zf));
    c.end({ kind: 'branch', condition, taken: target(c), next: b.nextAddress });
  };
}

const NARROW_LOOPS: ReadonlySet<Code> = new Set([
  Code.Loop_rel8_64_ECX,
  Code.Loope_rel8_64_ECX,
  Code.Loopne_rel8_64_ECX,
]);

function target(c: Lift): number {
  return Number(c.instruction.nearBranchTarget);
}

const CONDITIONAL_JUMPS = [
  Mnemonic.Jo,
  Mnemonic.Jno,
  Mnemonic.Jb,
  Mnemonic.Jae,
  Mnemonic.Je,
  Mnemonic.Jne,
  Mnemonic.Jbe,
  Mnemonic.Ja,
  Mnemonic.Js,
  Mnemonic.Jns,
  Mnemonic.Jp,
  Mnemonic.Jnp,
  Mnemonic.Jl,
  Mnemonic.Jge,
  Mnemonic.Jle,
  Mnemonic.Jg,
];

export const FLOW_ROWS: Rows = [
  [Mnemonic.Jmp, jump],
  [Mnemonic.Call, call],
  [Mnemonic.Ret, ret],
  [Mnemonic.Jrcxz, branchIfCountZero('rcx')],
  [Mnemonic.Jecxz, branchIfCountZero('ecx')],
  [Mnemonic.Loop, loop(undefined)],
  [Mnemonic.Loope, loop(true)],
  [Mnemonic.Loopne, loop(false)],
  ...CONDITIONAL_JUMPS.map((mnemonic): readonly [Mnemonic, Row] => [mnemonic, branch]),
];
