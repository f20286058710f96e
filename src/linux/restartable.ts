import type { System } from './system.ts';

/**
 * Restartable sequences (kernel/rseq.c). A thread says in its area which piece of code it is in; where others have run in
 * between, or a signal's handler is to, it goes on at the piece's abort handler instead of in its middle.
 *
 * struct rseq: its word at 8 is the address of struct rseq_cs, or 0. That has version, flags, start, length and abort handler,
 * and before the handler is the signature that the thread registered.
 */
const PIECE_AT = 8;
const PIECE_SIZE = 32;

/** Where the thread goes on that was to go on at `next`. Undefined where what it says is wrong: it ends by SIGSEGV. */
export function restarted({ state, user }: System, next: bigint): bigint | undefined {
  const area = state.restartable;
  if (area === undefined) return next;
  if (!user.isWritable(area.address, area.length)) return undefined;
  const piece = Number(user.u64(area.address + PIECE_AT));
  if (piece === 0) return next;
  if (!user.isReadable(piece, PIECE_SIZE) || user.i32(piece) !== 0) return undefined;
  const start = user.u64(piece + 8);
  const length = user.u64(piece + 16);
  const abort = user.u64(piece + 24);
  const isIn = (address: bigint) => BigInt.asUintN(64, address - start) < length;
  if (!isIn(next)) {
    user.putI64(area.address + PIECE_AT, 0n);
    return next;
  }
  const signature = Number(abort) - 4;
  if (isIn(abort) || !user.isReadable(signature, 4)) return undefined;
  if (user.i32(signature) >>> 0 !== area.signature) return undefined;
  user.putI64(area.address + PIECE_AT, 0n);
  return abort;
}
