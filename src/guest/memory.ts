import { FIRST_GUEST_ADDRESS, GUEST_END, PAGE_SIZE, PERMISSIONS } from './layout.ts';

export const READ = 1;
export const WRITE = 2;
export const EXECUTE = 4;
/** Mapped, even when no permission is left (PROT_NONE). */
const MAPPED = 8;
/** Contents may be other than zero. */
const TOUCHED = 16;
/** Generated code may store here without asking: writable, touched, holding no translated code. */
export const FAST_STORE = 32;
/** The page's shadow holds steps. */
export const SHADOWED = 64;

/**
 * The guest's address space: bytes at their own addresses in one WebAssembly memory, permissions a byte a page.
 * Contents of unmapped pages are zero, so that a new mapping starts as the kernel's does.
 */
export class GuestMemory {
  readonly buffer: ArrayBuffer;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  private readonly permissions: Uint8Array;
  /** The same, four pages at a time. */
  private readonly fours: Int32Array;
  /** Called with the range before pages change hands: shadow memory and translated code follow. */
  private readonly onRemap: (start: number, end: number) => void;

  constructor(buffer: ArrayBuffer, onRemap: (start: number, end: number) => void = () => {}) {
    this.buffer = buffer;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.permissions = new Uint8Array(buffer, PERMISSIONS, GUEST_END / PAGE_SIZE);
    this.fours = new Int32Array(buffer, PERMISSIONS, GUEST_END / PAGE_SIZE / 4);
    this.onRemap = onRemap;
  }

  /** READ | WRITE | EXECUTE of the page that holds the address; 0 when unmapped or outside. */
  permission(address: number): number {
    if (address < FIRST_GUEST_ADDRESS || address >= GUEST_END) return 0;
    return this.permissions[Math.floor(address / PAGE_SIZE)] & 7;
  }

  /** Whether every byte of [address, address + length) has the permissions. */
  allows(address: number, length: number, wanted: number): boolean {
    if (length === 0) return true;
    const end = address + length;
    for (let page = address - (address % PAGE_SIZE); page < end; page += PAGE_SIZE)
      if ((this.permission(page) & wanted) !== wanted) return false;
    return true;
  }

  /** Maps zeroed pages. Start and end are page-aligned and inside the guest's space. */
  map(start: number, end: number, permissions: number): void {
    this.onRemap(start, end);
    this.clear(start, end);
    this.permissions.fill(permissions | MAPPED, start / PAGE_SIZE, end / PAGE_SIZE);
  }

  unmap(start: number, end: number): void {
    this.onRemap(start, end);
    this.clear(start, end);
    this.permissions.fill(0, start / PAGE_SIZE, end / PAGE_SIZE);
  }

  protect(start: number, end: number, permissions: number): void {
    for (let page = start / PAGE_SIZE; page < end / PAGE_SIZE; page++)
      this.permissions[page] = permissions | MAPPED | (this.permissions[page] & (TOUCHED | SHADOWED));
  }

  isMapped(address: number): boolean {
    if (address < FIRST_GUEST_ADDRESS || address >= GUEST_END) return false;
    return (this.permissions[Math.floor(address / PAGE_SIZE)] & MAPPED) !== 0;
  }

  /** Only mapped pages can hold anything, so only they are cleared: reservations cost nothing. */
  private clear(start: number, end: number): void {
    this.eachPage(TOUCHED, start, end, (page) => {
      this.bytes.fill(0, page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    });
  }

  /** Visits the numbers of the pages in a range that have one of this file's bits: the others take little time. */
  eachPage(bit: number, start: number, end: number, visit: (page: number) => void): void {
    const { fours, permissions } = this;
    const wanted = bit * 0x0101_0101;
    const last = end / PAGE_SIZE;
    for (let page = start / PAGE_SIZE; page < last; ) {
      if (page % 4 === 0 && (fours[page / 4] & wanted) === 0) page += 4;
      else {
        if ((permissions[page] & bit) !== 0) visit(page);
        page++;
      }
    }
  }

  /** Notes that the page's contents may differ from zero (generated code and system calls come through here first). */
  touch(address: number): void {
    this.permissions[Math.floor(address / PAGE_SIZE)] |= TOUCHED;
  }

  /** Generated code need not ask again before it stores into the page. */
  allowFastStores(address: number): void {
    this.permissions[Math.floor(address / PAGE_SIZE)] |= FAST_STORE;
  }

  /** Stores into the page must be noticed: it holds translated code, or it is to become quiet. */
  denyFastStores(page: number): void {
    this.permissions[page] &= ~FAST_STORE;
  }

  /** Whether the page has one of this file's bits. */
  has(page: number, bit: number): boolean {
    return (this.permissions[page] & bit) !== 0;
  }

  hasShadow(page: number): boolean {
    return this.has(page, SHADOWED);
  }

  noteShadow(page: number): void {
    this.permissions[page] |= SHADOWED;
  }

  isTouched(address: number): boolean {
    return (this.permissions[Math.floor(address / PAGE_SIZE)] & TOUCHED) !== 0;
  }

  /** Copies bytes in, whatever the permissions (the kernel's and loader's view). */
  write(address: number, data: Uint8Array): void {
    for (let page = address - (address % PAGE_SIZE); page < address + data.length; page += PAGE_SIZE)
      this.touch(page);
    this.bytes.set(data, address);
  }

  /** A NUL-terminated string, or undefined when it is not readable or longer than `limit`. */
  cString(address: number, limit = PAGE_SIZE): Uint8Array | undefined {
    for (let end = address; end - address < limit; end++) {
      if ((end === address || end % PAGE_SIZE === 0) && (this.permission(end) & READ) === 0) return undefined;
      if (this.bytes[end] === 0) return this.bytes.subarray(address, end);
    }
    return undefined;
  }
}
