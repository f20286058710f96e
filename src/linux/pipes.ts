import { EPOCH } from './clock.ts';
import type { OpenFile, Parcel, PipeNode, SocketNode } from './fs/node.ts';

/** What pipes and connections hold: queues of parcels. Who waits for what is others' concern. */

export const PIPE_CAPACITY = 65_536;
/** So many bytes go together or not at all. */
export const PIPE_BUF = 4096;

export function newPipe(capacity = PIPE_CAPACITY): PipeNode {
  return {
    kind: 'pipe',
    inode: 0,
    mode: 0o600,
    modified: EPOCH,
    parcels: [],
    length: 0,
    weight: 0,
    capacity,
    came: 0,
    madeRoom: 0,
    freed: 0,
    opened: { readers: 0, writers: 0 },
  };
}

export function roomIn({ capacity, weight }: PipeNode): number {
  return capacity - weight;
}

/** What a read gets. */
export interface Received {
  readonly bytes: Uint8Array;
  readonly rights: readonly OpenFile[];
  readonly sender: number | undefined;
  /** Bytes of the message, of which `bytes` may be the first ones only. */
  readonly whole: number;
  readonly from?: SocketNode | undefined;
}

const NOTHING: Received = { bytes: new Uint8Array(0), rights: [], sender: undefined, whole: 0 };

/** What a read of so many bytes would get: it ends behind a message, and behind what open files come with. */
export function lookInto({ parcels }: PipeNode, wanted: number): Received {
  const [first] = parcels;
  if (first === undefined) return NOTHING;
  const { sender } = first;
  if (first.isMessage) {
    const { bytes, rights } = first;
    return { bytes: bytes.subarray(0, wanted), rights, sender, whole: bytes.length, from: first.from };
  }
  const parts: Uint8Array[] = [];
  let rights: readonly OpenFile[] = [];
  let length = 0;
  for (const parcel of parcels) {
    if (length === wanted || parcel.isMessage || rights.length > 0) break;
    const part = parcel.bytes.subarray(0, wanted - length);
    parts.push(part);
    length += part.length;
    rights = parcel.rights;
  }
  const bytes = parts.length === 1 ? parts[0] : joined(parts, length);
  return { bytes, rights, sender, whole: length, from: first.from };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Takes what `lookInto` shows. */
export function takeFrom(pipe: PipeNode, wanted: number): Received {
  const received = lookInto(pipe, wanted);
  if (roomIn(pipe) <= 0) pipe.madeRoom++;
  const { parcels } = pipe;
  if (parcels[0]?.isMessage === true) removeFirst(pipe);
  else {
    let left = received.bytes.length;
    while (left > 0 && left >= parcels[0].bytes.length) {
      left -= parcels[0].bytes.length;
      removeFirst(pipe);
    }
    if (left > 0) {
      parcels[0] = { ...parcels[0], bytes: parcels[0].bytes.subarray(left), rights: [] };
      pipe.length -= left;
      pipe.weight -= left;
    }
  }
  return received;
}

function removeFirst(pipe: PipeNode): void {
  const { bytes, overhead } = pipe.parcels.shift()!;
  pipe.length -= bytes.length;
  pipe.weight -= bytes.length + overhead;
  pipe.freed++;
}

/** Few bytes join those before them, as in a pipe's pages. */
const PAGE = 4096;

/** The parcel's bytes are the pipe's from now on. */
export function append(pipe: PipeNode, parcel: Parcel): void {
  const { bytes, overhead } = parcel;
  const last = pipe.parcels.at(-1);
  const isPlain = ({ isMessage, rights, sender }: Parcel) =>
    !isMessage && rights.length === 0 && sender === undefined;
  if (last !== undefined && isPlain(last) && isPlain(parcel) && last.bytes.length + bytes.length <= PAGE) {
    const together = joined([last.bytes, bytes], last.bytes.length + bytes.length);
    pipe.parcels[pipe.parcels.length - 1] = { ...last, bytes: together, overhead: last.overhead + overhead };
  } else pipe.parcels.push(parcel);
  pipe.length += bytes.length;
  pipe.weight += bytes.length + overhead;
  pipe.came++;
}

export function forget(pipe: PipeNode): void {
  pipe.parcels.length = 0;
  pipe.length = 0;
  pipe.weight = 0;
}
