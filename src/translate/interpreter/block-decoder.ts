import { GUEST_END } from '../../guest/layout.ts';
import { type CodeReader, LONGEST } from '../../x86/decode.ts';
import { liftBlock } from '../../x86/lift/block.ts';
import { storesElsewhere } from '../../x86/stores.ts';
import type { CodePlaces } from '../code-places.ts';
import type { Probes } from '../counts/probes.ts';
import type { Tally } from '../counts/tally.ts';
import { pageOf } from '../pages.ts';
import { FAULTS, type ServiceSite, UNSUPPORTED } from '../region-interface.ts';
import { siteOf } from '../strings/numbers.ts';
import type { Handlers } from './handlers.ts';
import { GOES_ON } from './record.ts';
import { RecordWriter } from './record-writer.ts';
import type { BlockLog, DecodedBlock, StoredBlocks } from './stored-blocks.ts';
import type { CommonHandler } from './support.ts';

export interface DecoderOptions {
  readonly code: CodeReader;
  readonly handlers: Handlers;
  /** The same that note what retires, and whether an instruction needs them: it is a block of its own. */
  readonly preciseHandlers: () => Handlers;
  readonly isPrecise: (address: number) => boolean;
  readonly isVolatile: (address: number) => boolean;
  readonly common: Readonly<Record<CommonHandler, number>>;
  readonly fpuTop: () => number;
  readonly isHooked: (address: number) => boolean;
  readonly siteNumber: (site: ServiceSite) => number;
  readonly unsupportedNumber: (text: string) => number;
  /** Most instructions of a block. */
  readonly limit: number;
  readonly places: CodePlaces;
  /** Counts executions, when somebody asks. */
  readonly tally?: Tally;
  /** Where control may be stopped, and the handler that does so. */
  readonly probes?: Probes;
  readonly probe?: number;
  /** What is decoded is left for later runs. */
  readonly stored?: StoredDecoding;
}

/** Blocks that an earlier run has decoded, and those that this one leaves. */
export interface StoredDecoding {
  readonly before: StoredBlocks | undefined;
  readonly log: BlockLog;
}

/** A block that this run has decoded. */
export interface FreshBlock extends DecodedBlock {
  readonly isPrecise: boolean;
  /** It ends with an instruction that is none, perhaps because memory cannot be executed there. */
  readonly faults: boolean;
  /** Where in its words it is counted how often its branch was taken. */
  readonly taken: number | undefined;
}

/** Makes records of the code at an address, wherever in memory they come to lie. */
export class BlockDecoder {
  private readonly options: DecoderOptions;
  private readonly records: RecordWriter;

  constructor(options: DecoderOptions) {
    this.options = options;
    this.records = new RecordWriter(options.places, options.limit);
  }

  /** A block as an earlier run has decoded it, where the same code would be decoded in the same way. */
  decodedBefore(address: number): DecodedBlock | undefined {
    const { stored, fpuTop, code, isPrecise, isHooked } = this.options;
    const block = stored?.before?.find(address, fpuTop());
    if (block === undefined || isPrecise(address) || isHooked(address) !== block.isHooked) return undefined;
    const { bytes, lengthsAt, count, codeAt, size } = block;
    if (!block.endsBehindStores && this.isVolatile(address, size)) return undefined;
    if (!code.has(address, bytes, codeAt, size)) return undefined;
    let at = address;
    for (let i = 0; i + 1 < count; i++) {
      at += bytes[lengthsAt + i];
      if (isHooked(at) || isPrecise(at)) return undefined;
    }
    stored!.log.keep(block);
    return block;
  }

  /** Whether code of a block can be written. */
  isVolatile(start: number, length: number): boolean {
    const { isVolatile } = this.options;
    return (
      isVolatile(start) || (pageOf(start) !== pageOf(start + length - 1) && isVolatile(start + length - 1))
    );
  }

  decode(address: number): FreshBlock {
    const { options, records } = this;
    const { code, common } = options;
    const isPrecise = options.isPrecise(address);
    const handlers = isPrecise ? options.preciseHandlers() : options.handlers;
    const limit = isPrecise ? 1 : options.limit;
    const { reader } = handlers;
    const endsBehindStores = options.isVolatile(address);
    if (!code.isCurrent(address)) code.forget();
    records.start();
    const topBefore = options.fpuTop();
    let top = topBefore;
    let usesFpu = false;
    let count = 0;
    let at = address;
    const lengths: number[] = [];
    // Of no use for other runs: it names what only this one has.
    let isForThisRun = isPrecise || address >= GUEST_END;
    let faults = false;
    let lastSite = -1;
    for (;;) {
      const instruction = code.decode(at);
      const next = at + instruction.length;
      if (instruction.isInvalid) {
        this.putFault(FAULTS.indexOf(code.ranOut ? 'general-protection' : 'invalid-opcode'), at);
        faults = true;
        isForThisRun = true;
        at = next;
        break;
      }
      const info = reader.infoOf(instruction);
      const mayChangeCode = endsBehindStores && storesElsewhere(instruction);
      usesFpu ||= info.fpu;
      const served = code.serviceOf(instruction, info.treatment);
      if (served !== undefined) {
        records.put(common.service);
        const site = options.siteNumber({ ...served, address: at, next });
        lastSite = siteOf(site);
        // What WebAssembly does for it does not tell which instruction retired last.
        records.put(isPrecise ? lastSite : site);
        records.putLink(next, GOES_ON);
        lengths.push(next - at);
        count++;
        at = next;
        break;
      }
      const form = handlers.formOf(instruction, info, top);
      if (form.kind !== 'handled') {
        const number =
          form.kind === 'fault'
            ? FAULTS.indexOf(form.fault)
            : UNSUPPORTED + options.unsupportedNumber(this.describeAt(at, top));
        this.putFault(number, at);
        faults = true;
        isForThisRun = true;
        at = next;
        break;
      }
      isForThisRun ||= code.looksAhead(at);
      records.put(form.slot);
      const { fields } = form;
      for (let i = 0; i < fields.length; i++) {
        const field = fields[i];
        if (field.kind === 'following') records.putFollowing(count);
        else records.putField(field, instruction, at, next, reader.operands);
      }
      lengths.push(next - at);
      count++;
      if (info.fpu) top = form.topAfter;
      at = next;
      if (form.ends) break;
      const endsHere =
        count === limit ||
        options.isHooked(at) ||
        options.isPrecise(at) ||
        options.probes?.has(at) ||
        mayChangeCode ||
        (pageOf(at + LONGEST - 1) !== pageOf(at) &&
          options.isVolatile(at + LONGEST - 1) !== endsBehindStores);
      if (endsHere) {
        records.put(common.goTo);
        records.putLink(at, GOES_ON);
        break;
      }
    }
    handlers.flush();

    const isHooked = options.isHooked(address);
    const head: number[] = [];
    const own = options.places.of(address);
    if (usesFpu) head.push(common.top, topBefore, own);
    const cell = options.probe === undefined ? undefined : options.probes?.cellOf(address);
    if (cell !== undefined) head.push(options.probe!, own, cell);
    if (isHooked) head.push(common.hook, own);
    head.push(isPrecise ? common.preciseHead : common.head, count, own, 0);
    const entries = head.length - 1;
    if (options.tally !== undefined) head.push(0);
    const { taken } = records;
    const words = records.finish(head, count);
    const size = at - address;
    const bytes = new Uint8Array(lengths.length + size);
    bytes.set(lengths);
    bytes.set(code.decodedBytes(address, size), lengths.length);
    const decoded: FreshBlock = {
      address,
      top: usesFpu ? topBefore : undefined,
      isHooked,
      endsBehindStores,
      words,
      wordsAt: 0,
      wordCount: words.length,
      entries,
      bytes,
      lengthsAt: 0,
      count: lengths.length,
      codeAt: lengths.length,
      size,
      lastSite,
      isPrecise,
      faults,
      taken: taken === undefined ? undefined : head.length + taken,
    };
    if (!isForThisRun && !records.leadsFar) options.stored?.log.add(decoded);
    return decoded;
  }

  private putFault(number: number, address: number): void {
    const { records } = this;
    records.put(this.options.common.fault);
    records.put(number);
    records.putPlace(address);
  }

  /** An unsupported instruction in words. */
  private describeAt(address: number, top: number): string {
    const { code, handlers } = this.options;
    const { terminator } = liftBlock(code, address, { top, mxcsr: handlers.reader.mxcsr, limit: 1 });
    if (terminator.kind !== 'unsupported')
      throw new Error(`a ${terminator.kind} in place of the unsupported`);
    return terminator.text;
  }
}
