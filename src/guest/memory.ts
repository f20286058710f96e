import { BytePages } from './byte-pages.ts';
import { type Difference, differencesBetween } from './differences.ts';
import { FAR_END, FarMemory } from './far-memory.ts';
import { FIRST_GUEST_ADDRESS, GUEST_END, PAGE_SIZE, PERMISSIONS } from './layout.ts';
import type { MemoryFollower } from './memory-follower.ts';
import { PageScan } from './page-scan.ts';
import { type ShowingPages, ShownPages } from './shown-pages.ts';

export const READ = 1;
export const WRITE = 2;
export const EXECUTE = 4;
/** Mapped, even when no permission is left (PROT_NONE). */
const MAPPED = 8;
/** Contents may be other than zero, or than what the host shows there. */
const TOUCHED = 16;
/** Generated code may store here without asking: writable, touched, holding no translated code. */
export const FAST_STORE = 32;
/** The page's shadow holds steps. */
export const SHADOWED = 64;

/** Holds a page of far memory (far-memory.ts): the guest does not see it at this address. */
const FRAME = 128;
/** The page is far (far-memory.ts) though its address is not: generated code must ask where it is. Frames are touched, too. */
const AWAY = MAPPED | FRAME;

/** Of pages whose stores are noted: whether there was one. */
const UNTOUCHED = 1;
const STORED = 2;

/**
 * The guest's address space: bytes at their own addresses in one WebAssembly memory, permissions a byte a page; from
 * GUEST_END on at other places (far-memory.ts). Contents of unmapped pages are zero, so that a new mapping starts as the
 * kernel's does.
 */
export class GuestMemory {
  readonly buffer: ArrayBuffer;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  private readonly permissions: Uint8Array;
  readonly bytePages: BytePages;
  private readonly follower: MemoryFollower;
  /** Pages that the host shows something in, mapped or not: who maps the same again finds it. */
  private readonly shown: ShownPages;
  private readonly scan: PageScan;
  /** Of a copy, by address: what pages were that may differ by now. */
  private readonly originals = new Map<number, Uint8Array>();
  private isCopy = false;
  /** Whether stores into each page are noted; undefined while nobody wants to know of any. */
  private watched: Uint8Array | undefined;
  /** Whether a page is or was AWAY. */
  private hasAway = false;
  readonly far: FarMemory;
  /** Whether an address that the guest or a system call accesses, where no page allows it, has been mapped: a stack that grows. */
  grow: (address: number) => boolean = () => false;

  constructor(
    buffer: ArrayBuffer,
    follower: MemoryFollower = { remap: () => {}, move: () => {} },
    host?: ShowingPages,
  ) {
    this.buffer = buffer;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.permissions = new Uint8Array(buffer, PERMISSIONS, GUEST_END / PAGE_SIZE);
    this.scan = new PageScan(this.permissions);
    this.bytePages = new BytePages(buffer);
    this.follower = follower;
    this.shown = new ShownPages(buffer, host);
    this.far = new FarMemory(buffer, {
      isFree: (frame) => this.permissions[frame] === 0,
      take: (frame, permissions) => {
        this.shown.hide(frame * PAGE_SIZE, (frame + 1) * PAGE_SIZE);
        this.scan.noteMapped(frame, frame + 1);
        this.permissions[frame] = permissions | MAPPED | TOUCHED | FRAME;
      },
      fill: (frame, bytes) => this.bytes.set(bytes, frame * PAGE_SIZE),
      protect: (frame, permissions) => this.setPermissions(frame, permissions),
      move: (from, to) => this.movePage(from, to),
      unmap: (address) => this.follower.unmapFar?.(address),
      release: (frame) => this.unmapNear(frame * PAGE_SIZE, (frame + 1) * PAGE_SIZE),
    });
  }

  /** READ | WRITE | EXECUTE of the page that holds the address; 0 when unmapped or outside. */
  permission(address: number): number {
    if (address < FIRST_GUEST_ADDRESS) return 0;
    if (address >= GUEST_END) return this.far.permissions(address);
    const page = this.permissions[address >>> 12];
    if ((page & FRAME) === 0) return page & 7;
    return page === AWAY ? this.far.permissions(address) : 0;
  }

  /** Whether the address is no memory offset. */
  isFar(address: number): boolean {
    return address >= GUEST_END || (this.hasAway && this.isAway(Math.floor(address / PAGE_SIZE)));
  }

  private isAway(page: number): boolean {
    return this.permissions[page] === AWAY;
  }

  /** Whether bytes of a range are in far pages. */
  hasFar(start: number, end: number): boolean {
    if (end > GUEST_END) return true;
    if (!this.hasAway) return false;
    for (let page = start - (start % PAGE_SIZE); page < end; page += PAGE_SIZE)
      if (this.isFar(page)) return true;
    return false;
  }

  /** Mapped pages become far pages where they are not. */
  private sendAway(start: number, end: number): void {
    const last = Math.min(end, GUEST_END) / PAGE_SIZE;
    for (let page = start / PAGE_SIZE; page < last; ) {
      const permissions = this.permissions[page] & 7;
      const isSame = (other: number) => !this.isAway(other) && (this.permissions[other] & 7) === permissions;
      const first = page;
      while (page < last && isSame(page)) page++;
      if (page === first) page++;
      else this.sendRunAway(first, page, permissions);
    }
  }

  private sendRunAway(first: number, end: number, permissions: number): void {
    this.hasAway = true;
    this.far.map(first * PAGE_SIZE, end * PAGE_SIZE, permissions);
    for (let page = first; page < end; page++) {
      if (this.isCopy) this.keepOriginal(page);
      this.bytePages.end(page);
      if (this.isTouched(page * PAGE_SIZE)) {
        this.permissions[page] |= FRAME | TOUCHED;
        this.far.adopt(page, page);
      } else this.follower.remap(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
      this.permissions[page] = AWAY;
    }
    this.shown.hide(first * PAGE_SIZE, end * PAGE_SIZE);
  }

  /**
   * Mapped pages show something, by an object that stands for it, from an offset on: the same as other pages for which the
   * same was said. What they hold now counts where those have not been touched.
   */
  share(start: number, end: number, shown: object, offset: number): void {
    this.sendAway(start, end);
    this.far.share(start, end, shown, offset);
    // What runs there may be written through another mapping.
    this.follower.forgetCode?.(start, end);
  }

  /** Pages that were far are about to be something else. */
  private callBack(start: number, end: number): void {
    if (!this.hasAway) return;
    for (let page = start / PAGE_SIZE; page < end / PAGE_SIZE; page++) {
      if (!this.isAway(page)) continue;
      this.far.unmap(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
      this.permissions[page] = 0;
    }
  }

  /** Whether every byte of [address, address + length) has the permissions. */
  allows(address: number, length: number, wanted: number): boolean {
    if (length === 0) return true;
    const end = address + length;
    if (address >= GUEST_END) return end <= FAR_END && this.far.allows(address, end, wanted);
    for (let page = address - (address % PAGE_SIZE); page < end; page += PAGE_SIZE)
      if ((this.permission(page) & wanted) !== wanted && !this.growsTo(page, wanted)) return false;
    return true;
  }

  /** The first byte of the range that does not have the permissions. */
  firstWithout(address: number, length: number, wanted: number): number | undefined {
    const end = address + length;
    // A remainder of doubles would be a call of C's fmod.
    for (let at = address; at < end; at = (Math.floor(at / PAGE_SIZE) + 1) * PAGE_SIZE)
      if ((this.permission(at) & wanted) !== wanted && !this.growsTo(at, wanted)) return at;
    return undefined;
  }

  private growsTo(address: number, wanted: number): boolean {
    return this.grow(address) && (this.permission(address) & wanted) === wanted;
  }

  /**
   * Maps zeroed pages. Start and end are page-aligned and inside the guest's space. Tells whether they show bytes that a disk gave, as if these had been written,
   * but cost what is accessed of them.
   */
  map(start: number, end: number, permissions: number, content?: Uint8Array): boolean {
    if (end > GUEST_END) this.far.map(Math.max(start, GUEST_END), end, permissions);
    if (start >= GUEST_END) return content !== undefined && this.far.show(start, end, content);
    const nearEnd = Math.min(end, GUEST_END);
    this.callBack(start, nearEnd);
    this.evict(start, nearEnd);
    for (let page = start / PAGE_SIZE; this.isCopy && page < nearEnd / PAGE_SIZE; page++)
      this.keepOriginal(page);
    this.unmapNear(start, nearEnd);
    this.scan.noteMapped(start / PAGE_SIZE, nearEnd / PAGE_SIZE);
    this.permissions.fill(permissions | MAPPED, start / PAGE_SIZE, nearEnd / PAGE_SIZE);
    this.follower.map?.(start, nearEnd, permissions);
    if (end === nearEnd && content !== undefined) return this.shown.show(start, end, content);
    this.shown.hide(start, nearEnd);
    return false;
  }

  unmap(start: number, end: number): void {
    if (end > GUEST_END) this.far.unmap(Math.max(start, GUEST_END), end);
    if (start >= GUEST_END) return;
    const nearEnd = Math.min(end, GUEST_END);
    this.callBack(start, nearEnd);
    this.evict(start, nearEnd);
    for (let page = start / PAGE_SIZE; this.isCopy && page < nearEnd / PAGE_SIZE; page++)
      if (this.isTouched(page * PAGE_SIZE)) this.keepOriginal(page);
    this.unmapNear(start, nearEnd);
    this.far.noteFreed();
  }

  /** Frames make room. */
  private evict(start: number, end: number): void {
    const frames: number[] = [];
    this.eachPage(FRAME, start, end, (page) => frames.push(page));
    if (frames.length > 0) this.far.evict(frames, start, end);
  }

  /** Nothing is mapped anywhere. */
  unmapAll(): void {
    this.far.reset();
    let start = 0;
    let end = 0;
    // Most of the space is unmapped already.
    this.eachPage(MAPPED, FIRST_GUEST_ADDRESS, GUEST_END, (page) => {
      if (page * PAGE_SIZE !== end) {
        if (end > start) this.unmapNear(start, end);
        start = page * PAGE_SIZE;
      }
      end = (page + 1) * PAGE_SIZE;
    });
    if (end > start) this.unmapNear(start, end);
    this.scan.reset();
    this.isCopy = false;
    this.hasAway = false;
    this.watched = undefined;
    this.originals.clear();
  }

  private unmapNear(start: number, end: number): void {
    this.follower.remap(start, end);
    this.clear(start, end);
    this.permissions.fill(0, start / PAGE_SIZE, end / PAGE_SIZE);
    this.watched?.fill(0, start / PAGE_SIZE, end / PAGE_SIZE);
  }

  /** Of mapped pages. */
  protect(start: number, end: number, permissions: number): void {
    if ((permissions & WRITE) !== 0 || this.changesCode(start, end, permissions))
      this.follower.forgetCode?.(start, end);
    if (end > GUEST_END) this.far.protect(Math.max(start, GUEST_END), end, permissions);
    for (let page = start / PAGE_SIZE; page < Math.min(end, GUEST_END) / PAGE_SIZE; page++)
      if (this.isAway(page)) this.far.protect(page * PAGE_SIZE, (page + 1) * PAGE_SIZE, permissions);
      else this.setPermissions(page, permissions);
  }

  /** Whether something may be executed with these permissions that could not be, or the other way round. */
  private changesCode(start: number, end: number, permissions: number): boolean {
    if (end > GUEST_END) return true;
    for (let page = start / PAGE_SIZE; page < end / PAGE_SIZE; page++)
      if (this.isAway(page) || ((this.permissionOfPage(page) ^ permissions) & EXECUTE) !== 0) return true;
    return false;
  }

  private setPermissions(page: number, permissions: number): void {
    const before = this.permissions[page];
    if ((before & SHADOWED) !== 0 && ((before ^ permissions) & READ) !== 0)
      this.follower.setReadable?.(page, (permissions & READ) !== 0);
    this.permissions[page] = permissions | MAPPED | (before & (TOUCHED | SHADOWED | FRAME));
    this.bytePages.end(page);
  }

  private movePage(from: number, to: number): void {
    this.follower.move(from, to);
    const start = from * PAGE_SIZE;
    this.shown.hide(to * PAGE_SIZE, (to + 1) * PAGE_SIZE);
    this.bytes.copyWithin(to * PAGE_SIZE, start, start + PAGE_SIZE);
    this.bytes.fill(0, start, start + PAGE_SIZE);
    this.scan.noteMapped(to, to + 1);
    this.permissions[to] = this.permissions[from];
    this.permissions[from] = 0;
  }

  /** Where in memory the bytes are at an address that the guest can access; see FarMemory.offsetOf. */
  offsetOf(address: number, length: number): number {
    if (!this.hasFar(address, address + length)) return address;
    // Bytes in pages of both kinds follow each other only among far ones.
    const start = address - (address % PAGE_SIZE);
    this.sendAway(start, Math.ceil((address + length) / PAGE_SIZE) * PAGE_SIZE);
    return this.far.offsetOf(address, length);
  }

  /** The address that the guest has for a place in memory. */
  addressOf(offset: number): number {
    return this.far.addressOf(offset) ?? offset;
  }

  /** All of them: there are several where pages are shared. */
  addressesOf(offset: number): readonly number[] {
    const far = this.far.addressesOf(offset);
    return far.length > 0 ? far : [offset];
  }

  /** Visits the parts of a range of mapped memory that lie in one page each, where there are far pages; else all of it. */
  private eachPart(
    address: number,
    length: number,
    visit: (at: number, done: number, length: number) => void,
  ): void {
    if (!this.hasFar(address, address + length)) return visit(address, 0, length);
    for (let done = 0; done < length; ) {
      const at = address + done;
      const part = Math.min(length - done, PAGE_SIZE - (at % PAGE_SIZE));
      visit(at, done, part);
      done += part;
    }
  }

  /** Bytes of mapped memory: a view, or a copy where it might move. */
  read(address: number, length: number): Uint8Array {
    if (!this.hasFar(address, address + length)) return this.bytes.subarray(address, address + length);
    const copy = new Uint8Array(length);
    this.eachPart(address, length, (at, done, part) => {
      const offset = this.isFar(at) ? this.far.peek(at) : at;
      const bytes = offset === undefined ? this.far.shownAt(at) : this.bytes.subarray(offset, offset + part);
      if (bytes !== undefined) copy.set(bytes.subarray(0, part), done);
    });
    return copy;
  }

  isMapped(address: number): boolean {
    if (address < FIRST_GUEST_ADDRESS) return false;
    if (address >= GUEST_END) return this.far.isMapped(address);
    const page = this.permissions[Math.floor(address / PAGE_SIZE)];
    return (page & AWAY) === MAPPED || page === AWAY;
  }

  /** Only mapped pages can hold anything, so only they are cleared: reservations cost nothing. */
  private clear(start: number, end: number): void {
    const isTouched = (page: number) => this.has(page, TOUCHED);
    for (const hidden of this.shown.hideTouched(start, end, isTouched))
      this.eachPage(TOUCHED, hidden.start, hidden.end, (page) => {
        this.permissions[page] &= ~TOUCHED;
      });
    this.eachPage(TOUCHED, start, end, (page) => {
      this.bytes.fill(0, page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    });
  }

  /** Visits the numbers of the pages in a range that have one of this file's bits. */
  eachPage(bit: number, start: number, end: number, visit: (page: number) => void): void {
    this.scan.each(bit, start, end, visit);
  }

  /** Notes that the page's contents may differ from zero (generated code and system calls come through here first). */
  touch(address: number): void {
    const page = Math.floor(address / PAGE_SIZE);
    this.permissions[page] |= TOUCHED;
    if (this.watched?.[page] === UNTOUCHED) this.watched[page] = STORED;
    if (this.isCopy) this.keepOriginal(page);
  }

  private keepOriginal(page: number): void {
    const offset = page * PAGE_SIZE;
    const address = this.addressOf(offset);
    if (!this.originals.has(address))
      this.originals.set(address, this.bytes.slice(offset, offset + PAGE_SIZE));
  }

  /** Stores into the pages are noted from now on, for `stored`; far pages need not be told of. */
  watchStores(start: number, end: number): void {
    this.watched ??= new Uint8Array(GUEST_END / PAGE_SIZE);
    for (let page = start / PAGE_SIZE; page < Math.min(end, GUEST_END) / PAGE_SIZE; page++) {
      this.watched[page] = UNTOUCHED;
      this.denyFastStores(page);
    }
  }

  /**
   * Numbers of the pages that may have been stored to since this was asked before, in order. Of pages that are not watched, and
   * of far ones, those are told that ever were.
   */
  stored(start: number, end: number): readonly number[] {
    const found = [...this.far.touched(start, end)];
    this.eachPage(TOUCHED, start, Math.min(end, GUEST_END), (page) => {
      if (this.has(page, FRAME) || this.watched?.[page] === UNTOUCHED) return;
      found.push(page);
      if (this.watched?.[page] !== STORED) return;
      this.watched[page] = UNTOUCHED;
      this.denyFastStores(page);
    });
    return found.sort((a, b) => a - b);
  }

  /** Generated code need not ask again before it stores into the page. */
  allowFastStores(address: number): void {
    const page = Math.floor(address / PAGE_SIZE);
    this.permissions[page] |= FAST_STORE;
    this.bytePages.end(page);
  }

  /** The first store into the page must be noticed: it is to become quiet. */
  layToRest(page: number): void {
    this.bytePages.layToRest(page);
    this.permissions[page] &= ~FAST_STORE;
  }

  /** Stores into the page must be noticed: it holds translated code, or somebody wants to know of them. */
  denyFastStores(page: number): void {
    this.permissions[page] &= ~FAST_STORE;
    this.bytePages.end(page);
  }

  /** Stores into the page of executable bytes at an address must be noticed. */
  watchCode(address: number): void {
    if (!this.isMapped(address)) return;
    this.denyFastStores(Math.floor(this.offsetOf(address, 1) / PAGE_SIZE));
  }

  /** Whether the page has one of this file's bits. */
  has(page: number, bit: number): boolean {
    return (this.permissions[page] & bit) !== 0;
  }

  noteShadow(page: number): void {
    this.permissions[page] |= SHADOWED;
    this.follower.noteShadow?.(page);
  }

  /** The page looks as if nothing had been accessed there: whoever accesses it asks. */
  forgetShadow(page: number): void {
    this.permissions[page] &= ~SHADOWED;
    this.denyFastStores(page);
  }

  /** READ | WRITE | EXECUTE of a page in memory, whoever has it. */
  permissionOfPage(page: number): number {
    return this.permissions[page] & 7;
  }

  /** Numbers of the pages in a range that may hold other than what they held when they were mapped, in order. */
  touched(start: number, end: number): readonly number[] {
    const pages = this.hasFar(start, end) ? [...this.far.touched(start, end)] : [];
    this.eachPage(TOUCHED, start, Math.min(end, GUEST_END), (page) => {
      if (!this.has(page, FRAME)) pages.push(page);
    });
    return pages.sort((a, b) => a - b);
  }

  /** Whether the page may hold other than zeros. */
  isTouched(address: number): boolean {
    if (this.has(Math.floor(address / PAGE_SIZE), TOUCHED)) return true;
    return this.isMapped(address) && this.shown.has(address);
  }

  /** Nothing is mapped: from now on everything is as it is in another memory, but for steps and code. */
  copyFrom(other: GuestMemory): void {
    const { permissions, bytes } = this;
    this.scan.copyFrom(other.scan);
    other.eachPage(MAPPED, 0, GUEST_END, (page) => {
      permissions[page] = other.permissions[page] & ~(FAST_STORE | SHADOWED);
    });
    for (const { start, end } of this.shown.copyFrom(other.shown))
      this.eachPage(MAPPED, start, end, (page) => {
        permissions[page] |= TOUCHED;
      });
    this.eachPage(TOUCHED, 0, GUEST_END, (page) => {
      const start = page * PAGE_SIZE;
      bytes.set(other.bytes.subarray(start, start + PAGE_SIZE), start);
    });
    this.far.copyFrom(other.far);
    this.watched = other.watched?.map((state) => (state === 0 ? 0 : UNTOUCHED));
    this.hasAway = other.hasAway;
    this.isCopy = true;
  }

  /** Where bytes differ from what they were when this became a copy of another memory, as far as that has them still, in order. */
  differences(other: GuestMemory): readonly Difference[] {
    const present = [...this.originals].filter(([start]) => this.isMapped(start) && other.isMapped(start));
    return differencesBetween(present, (start) => this.read(start, PAGE_SIZE).slice());
  }

  /** Copies bytes in, whatever the permissions (the kernel's and loader's view). */
  write(address: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.eachPart(address, data.length, (at, done, length) => {
      const offset = this.offsetOf(at, length);
      for (let page = offset - (offset % PAGE_SIZE); page < offset + length; page += PAGE_SIZE)
        this.touch(page);
      // A view takes longer than the few bytes that most calls write.
      this.bytes.set(length === data.length ? data : data.subarray(done, done + length), offset);
    });
    this.follower.write?.(address, address + data.length);
  }
}
