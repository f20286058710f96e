/** A straight run of instructions as records in memory. */
export interface Block {
  readonly number: number;
  readonly address: number;
  readonly end: number;
  /** Where its records are: offsets in memory. */
  readonly at: number;
  /** Its instructions as bytes, as they were when it was decoded. */
  readonly copy: number;
  /** Handler of its second record. */
  readonly entry: number;
  /** Where it is counted how often control came to it. */
  readonly entries: number;
  /** Set when it depends on the top of the x87 stack. */
  readonly top: number | undefined;
  /** See DecodedBlock. */
  readonly endsBehindStores: boolean;
  /** See FreshBlock. */
  readonly faults: boolean;
  state: 'cold' | 'hot' | 'stale';
  /** It is decoded anew even where its code is what it was. */
  isOutdated: boolean;
  isPutOff: boolean;
  /** Of the region that was made for it. */
  slot: number | undefined;
}

/** Finds the blocks that were decoded, whatever became of them. */
export class KnownBlocks {
  readonly byNumber: Block[] = [];
  private readonly fpuTop: () => number;
  private readonly byAddress = new Map<number, Block>();
  /** Of code that depends on the top of the x87 stack, for other tops than in `byAddress`. */
  private readonly variants = new Map<number, Block>();

  constructor(fpuTop: () => number) {
    this.fpuTop = fpuTop;
  }

  add(block: Block): void {
    const { address, top } = block;
    this.byNumber.push(block);
    if (top !== undefined) this.variants.set(8 * address + top, block);
    const known = this.byAddress.get(address)?.top;
    if (top === undefined || known === undefined || known === top) this.byAddress.set(address, block);
  }

  /** The block at an address for the present top of the x87 stack. */
  find(address: number): Block | undefined {
    const known = this.byAddress.get(address);
    if (known?.top === undefined) return known;
    const top = this.fpuTop();
    return known.top === top ? known : this.variants.get(8 * address + top);
  }

  /** The block at an address, for whichever top of the x87 stack control came there first. */
  first(address: number): Block | undefined {
    return this.byAddress.get(address);
  }

  /** The block at an address whose code depends on the top of the x87 stack, for one top. */
  variant(address: number, top: number): Block | undefined {
    return this.variants.get(8 * address + top);
  }
}
