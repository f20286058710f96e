import { DATAGRAM, hasLoss, isInboxOver, isOutboxOver } from './connections.ts';
import {
  type CounterNode,
  type Interest,
  type InterestNode,
  isObject,
  type OpenFile,
  type PipeNode,
  type SocketNode,
} from './fs/node.ts';
import { AF_UNIX } from './internet.ts';
import { hasRecords, hasRoomFor } from './objects.ts';
import { isReadable, isWritable } from './open-file.ts';
import { hasEnd, isOpen } from './open-files.ts';
import { PIPE_BUF, roomIn } from './pipes.ts';
import { allPending } from './signals/pending.ts';
import { signalBit } from './signals/sets.ts';
import type { System } from './system.ts';
import { terminalReadiness } from './terminals/transfer.ts';

/** What poll, select and epoll ask of a descriptor. */
export interface Readiness {
  readonly input: boolean;
  readonly output: boolean;
  readonly hangUp: boolean;
  readonly error: boolean;
  /** The other end of a connection writes no more. */
  readonly readHangUp: boolean;
}

const NOTHING: Readiness = { input: false, output: false, hangUp: false, error: false, readHangUp: false };

/** Files, streams and devices never keep the guest waiting; what does is between processes, threads or times. */
export function readinessOf(system: System, file: OpenFile): Readiness {
  const { node } = file;
  const input = isReadable(file);
  const output = isWritable(file);
  if (node.kind === 'pipe') return ofPipe(system, file, node);
  if (node.kind === 'terminal') return terminalReadiness(system, node);
  if (node.kind === 'socket') {
    const { inbox, outbox, waiting, isMute } = node;
    if (waiting !== undefined) return ofListener(waiting, isMute);
    if (node.error !== undefined)
      return { input: true, output: true, hangUp: node.type !== DATAGRAM, error: true, readHangUp: true };
    if (!node.isConnected && node.type !== DATAGRAM) return { ...NOTHING, output: true, hangUp: true };
    const isOver = isInboxOver(system, node);
    const isShut = isOutboxOver(system, node);
    const error = hasLoss(system, node);
    // unix_writable, sk_stream_is_writeable
    const mostUnread = node.family === AF_UNIX ? 1 / 4 : 2 / 3;
    return {
      input: isOver || inbox!.parcels.length > 0,
      output: isShut || outbox === undefined || outbox.weight <= mostUnread * outbox.capacity,
      // TCP: until both ways are shut, what is sent may still arrive.
      hangUp: isOver && (isMute || (node.family === AF_UNIX ? isShut : node.knowsLoss || error)),
      error,
      readHangUp: isOver,
    };
  }
  if (node.kind === 'interests') return { ...NOTHING, input: tellable(system, node).length > 0 };
  if (node.kind === 'messages')
    return {
      ...NOTHING,
      input: node.messages.length > 0,
      output: node.messages.length < node.capacity,
    };
  if (isObject(node)) {
    const hasRoom = node.kind === 'counter' && hasRoomFor(node, 1n);
    return { ...NOTHING, input: hasRecords(system, node), output: hasRoom };
  }
  return { ...NOTHING, input, output };
}

function ofListener({ queue, isShut }: NonNullable<SocketNode['waiting']>, isMute: boolean): Readiness {
  return { ...NOTHING, input: queue.length > 0 || isShut, hangUp: isShut && isMute, readHangUp: isShut };
}

function ofPipe(system: System, file: OpenFile, pipe: PipeNode): Readiness {
  const input = isReadable(file);
  const output = isWritable(file);
  const hasWriter = hasEnd(system, pipe, isWritable);
  const hasReader = hasEnd(system, pipe, isReadable);
  return {
    input: input && pipe.length > 0,
    output: output && (roomIn(pipe) >= PIPE_BUF || !hasReader),
    hangUp: input && !hasWriter && pipe.opened.writers !== file.writersBefore,
    error: output && !hasReader,
    readHangUp: false,
  };
}

export const EPOLL = {
  IN: 0x001,
  OUT: 0x004,
  ERR: 0x008,
  HUP: 0x010,
  RDNORM: 0x040,
  WRNORM: 0x100,
  RDHUP: 0x2000,
  ONESHOT: 0x4000_0000,
  EDGE: 0x8000_0000,
} as const;

/** Told whether anybody asks for them or not. */
const ALWAYS = EPOLL.ERR | EPOLL.HUP;

/** What has happened, in poll's bits, which are epoll's. */
export function eventsOf({ input, output, hangUp, error, readHangUp }: Readiness): number {
  return (
    (input ? EPOLL.IN | EPOLL.RDNORM : 0) |
    (output ? EPOLL.OUT | EPOLL.WRNORM : 0) |
    (hangUp ? EPOLL.HUP : 0) |
    (error ? EPOLL.ERR : 0) |
    (readHangUp ? EPOLL.RDHUP : 0)
  );
}

export interface Told {
  readonly number: number;
  readonly interest: Interest;
  readonly events: number;
}

/** What there is to tell of an epoll descriptor's interests, in the order in which they became ready, as far as anybody has looked. */
export function tellable(system: System, node: InterestNode): readonly Told[] {
  const all: Told[] = [];
  for (const [number, interest] of node.interests) {
    if (!isOpen(system, interest.file)) {
      node.interests.delete(number);
      continue;
    }
    const wanted = (interest.events | ALWAYS) >>> 0;
    const events = interest.isSpent ? 0 : eventsOf(readinessOf(system, interest.file)) & wanted;
    const isEdge = (interest.events & EPOLL.EDGE) !== 0;
    if (events === 0) interest.told = undefined;
    else if (!isEdge || isNews(system, interest, events)) all.push({ number, interest, events });
    // What is over may come again.
    else interest.told!.events &= events;
  }
  return all.sort((a, b) => a.interest.place - b.interest.place);
}

/** Something is ready that was not, or has become so again, since it was told. */
function isNews(system: System, interest: Interest, events: number): boolean {
  const { told } = interest;
  if (told === undefined || (events & ~told.events) !== 0) return true;
  const activity = activityOf(system, interest);
  return activity.length !== told.activity.length || activity.some((each, i) => each !== told.activity[i]);
}

/** It has been told: an edge is told once, and a one-shot interest waits to be set again. */
export function markTold(system: System, { interest, events }: Told): void {
  if ((interest.events & EPOLL.EDGE) !== 0)
    interest.told = { events, activity: activityOf(system, interest) };
  if ((interest.events & EPOLL.ONESHOT) !== 0) interest.isSpent = true;
}

/** What changes, some of it, whenever Linux wakes those that ask: something has come, or room was made where there was none. */
function activityOf(system: System, { file: { node }, events }: Interest): readonly unknown[] {
  type Way = Pick<PipeNode, 'came' | 'madeRoom'> | CounterNode | undefined;
  const of = (inbox: Way, outbox: Way): readonly unknown[] => [
    (events & EPOLL.IN) === 0 ? 0 : (inbox?.came ?? 0),
    (events & EPOLL.OUT) === 0 ? 0 : (outbox?.madeRoom ?? 0),
  ];
  switch (node.kind) {
    case 'pipe':
      return [...of(node, node), node.isNamed && hasEnd(system, node, isWritable)];
    case 'counter':
      return of(node, node);
    case 'socket':
      return [...of(node.inbox, outgoing(node)), node.waiting?.queue.at(-1), ...changesOf(system, node)];
    case 'terminal': {
      const { incoming, outgoing } = node.terminal;
      return node.side === 'master' ? of(outgoing, incoming) : of(incoming, outgoing);
    }
    case 'watches':
    case 'messages':
      return [node.activity];
    case 'timer':
      return [node.timer.fired];
    case 'signals':
      return [allPending(system.state).findLast(({ signal }) => (node.set & signalBit(signal)) !== 0n)];
    case 'interests':
      return [...node.interests.values()].flatMap((each) => activityOf(system, each));
    default:
      return [];
  }
}

/** AF_UNIX tells of room whenever something has been read (unix_write_space), others once there was none. */
function outgoing({ family, outbox }: SocketNode): Pick<PipeNode, 'came' | 'madeRoom'> | undefined {
  return family === AF_UNIX && outbox !== undefined ? { ...outbox, madeRoom: outbox.freed } : outbox;
}

/** What is told goes behind what is yet to be told, and before what is not ready, as in Linux's list. */
export function moveBack(node: InterestNode, told: readonly Told[], untold: readonly Told[]): void {
  for (const { interest } of [...untold, ...told].reverse()) interest.place = node.before--;
}

/** How far a connection has come to its end, which every one of its interests hears (sk_state_change), whatever it asks for. */
function changesOf(system: System, node: SocketNode): readonly boolean[] {
  const { family, isConnected, inbox, isMute } = node;
  const own = [isConnected && inbox?.isShut === true, isConnected && isMute];
  const isOver = isConnected && isInboxOver(system, node);
  // TCP tells nobody that the other end reads no more, but that there is a connection now.
  const other = family === AF_UNIX ? isConnected && isOutboxOver(system, node) : isConnected;
  return [...own, isOver, other];
}
