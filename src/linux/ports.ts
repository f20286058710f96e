/**
 * What the kernel needs from outside. A path is absolute and a *byte string*: a string of which each character is one
 * byte (bytes.ts), because Linux file names are bytes and need not be UTF-8.
 */
export type DiskError = 'ENOENT' | 'EACCES' | 'ENOTDIR' | 'ELOOP' | 'ENAMETOOLONG' | 'EIO';

export type Answer<T> = { readonly value: T } | { readonly error: DiskError };

export interface DiskEntry {
  /** 'other': sockets, FIFOs, devices, which the guest cannot open. */
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly size: number;
  /** Whether anyone may execute the file. */
  readonly executable: boolean;
  /** When its contents were changed last: seconds since 1970. */
  readonly modified: number;
}

/** The host's files, for reading only. Symbolic links are never followed in the last component of a path. */
export interface Disk {
  stat(path: string): Answer<DiskEntry>;
  /** The whole file. The caller does not change the bytes. */
  read(path: string): Answer<Uint8Array>;
  /** Names in the directory, without `.` and `..`, in any order. */
  list(path: string): Answer<readonly string[]>;
  readLink(path: string): Answer<string>;
  /** A copy of all bytes of a file that `read` gave, which may be written to and costs what is; with `room`, zero behind them. Undefined: the caller is to make one. */
  copy(bytes: Uint8Array, room: number): Uint8Array<ArrayBuffer> | undefined;
  /** The caller is about to copy these bytes, part of what `read` gave: what it has copied before need not stay in memory. */
  noteTaken(bytes: Uint8Array): void;
  /** Whether a file's bytes that were given may not be what they were then, since somebody wrote to it. */
  hasChanged(bytes: Uint8Array): boolean;
}

/** The guest's standard input, as a file that can be read again from any offset: a run is repeated pass by pass. */
export interface Input {
  /** The bytes from `offset`: exactly `max` of them, fewer only where the input ends. */
  read(offset: number, max: number): Uint8Array;
}

/** Where the guest's standard output and error go. The bytes are the receiver's to keep. */
export interface Output {
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
}

/**
 * One difference between the guest's files and the host's, in an order in which they can be carried out. `mode` is
 * absent where the guest did not choose one: an existing file keeps its own.
 */
export type Change =
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array; readonly mode?: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };
