import type { FunctionBody, ValueType } from '../../wasm/function.ts';
import { ModuleBuilder } from '../../wasm/module.ts';
import type { CodeReader, Instruction } from '../../x86/decode.ts';
import { HELPERS } from '../../x86/helpers.ts';
import { type CodeInfo, codeOfKey, type Form, FormReader } from '../../x86/lift/form.ts';
import type { LevelWatch } from '../../x86/required-level.ts';
import type { Instruments } from '../instruments.ts';
import type { Measure } from '../steps/measure.ts';
import { emitHandler, type HandlerExtras, type HandlerImports } from './handler.ts';
import {
  type HandledForm,
  type KnownCodes,
  type KnownForms,
  NO_FORMS,
  PREPARED_SLOT,
  type PreparedForms,
  type PreparedHandlers,
} from './prepared.ts';
import { HANDLER_TYPE } from './record.ts';
import { NO_HANDLERS, type StoredHandlers } from './stored-handlers.ts';

/** What a decoder must know of an instruction's form. */
export type InstructionForm =
  | HandledForm
  | {
      readonly kind: 'fault';
      readonly fault: Extract<Form['block']['terminator'], { kind: 'fault' }>['fault'];
    }
  | { readonly kind: 'unsupported' };

/** What was made of the forms of one of iced's codes: keys and forms in the same order. */
interface FormsOfCode {
  readonly keys: number[];
  readonly forms: InstructionForm[];
}

export interface HandlersOptions {
  readonly code: CodeReader;
  readonly mxcsr: number;
  readonly measure: Measure;
  /** Reserves a slot of the table. */
  readonly reserve: () => number;
  /** Of the modules of handlers: what they import from. */
  readonly imports: WebAssembly.Imports;
  /** Imports memory and table. */
  readonly importSpace: (module: ModuleBuilder) => void;
  readonly instruments: Instruments;
  readonly extras: HandlerExtras;
  /** Whether V8 is told which branches are unlikely. */
  readonly hints: boolean;
  readonly levels?: LevelWatch;
  /** Forms whose handlers are there, and what was known when they were made. */
  readonly prepared?: Pick<PreparedHandlers, 'count' | 'known'>;
  /** Whether handlers are left for later runs, and what an earlier one has left. */
  readonly leaves?: boolean;
  readonly before?: StoredHandlers | undefined;
}

interface Made {
  readonly f: FunctionBody;
  readonly slot: number;
}

/** The handlers that a program has needed so far, by form. Made when a block needs them, all new ones of it in one module. */
export class Handlers {
  readonly reader: FormReader;
  readonly statistics = { handlers: 0, modules: 0, bytes: 0 };
  private readonly options: HandlersOptions;
  /** By iced's code: a few each, which are found sooner one by one than in one large map. From the first instruction that is decoded on. */
  private formsByCode: (FormsOfCode | undefined)[] | undefined;
  private readonly single = new Map<string, InstructionForm>();
  private readonly helpers: string[] = [];
  private readonly imports: HandlerImports;
  private readonly firstHelper: number;
  private pending: Made[] = [];
  /** All that were made, where they are left for later runs. */
  private readonly made: Made[] = [];

  constructor(options: HandlersOptions) {
    this.options = options;
    this.reader = new FormReader(
      options.mxcsr,
      options.code.exceptions,
      (instruction) => options.levels?.note(instruction),
      () => new Map(this.known().flatMap(({ codes }) => codes)),
    );
    const fixed = this.importAll(new ModuleBuilder());
    this.firstHelper = fixed.storeStep + 1;
    this.imports = { ...fixed, helpers: { get: (name) => this.indexOfHelper(name) } };
  }

  /** What was known when the prepared handlers were made, and what the run before this one knew. */
  private known(): readonly KnownForms[] {
    const { prepared, before } = this.options;
    return [prepared?.known() ?? NO_FORMS, before ?? NO_FORMS];
  }

  private get shared(): (FormsOfCode | undefined)[] {
    if (this.formsByCode !== undefined) return this.formsByCode;
    this.formsByCode = [];
    for (const { forms } of this.known())
      for (const [key, form] of forms) this.keep(codeOfKey(key), key, form);
    return this.formsByCode;
  }

  /** The form of an instruction; its handler exists after the next `flush`. */
  formOf(instruction: Instruction, info: CodeInfo, top: number): InstructionForm {
    const key = this.reader.keyOf(instruction, info, top);
    const known = key >= 0 ? this.find(info.code, key) : this.single.get(this.singleKey(instruction, top));
    return known ?? this.makeTimed(instruction, info, top);
  }

  private find(code: number, key: number): InstructionForm | undefined {
    const known = this.shared[code];
    if (known === undefined) return undefined;
    const { keys, forms } = known;
    for (let i = 0; i < keys.length; i++) if (keys[i] === key) return forms[i];
    return undefined;
  }

  private keep(code: number, key: number, form: InstructionForm): void {
    this.shared[code] ??= { keys: [], forms: [] };
    const { keys, forms } = this.shared[code];
    keys.push(key);
    forms.push(form);
  }

  private singleKey(instruction: Instruction, top: number): string {
    const address = Number(instruction.ip);
    return `${address} ${top} ${this.options.code.bytes(address, instruction.length).join()}`;
  }

  private makeTimed(instruction: Instruction, info: CodeInfo, top: number): InstructionForm {
    return this.options.instruments.within('handlers', () => this.make(instruction, info, top));
  }

  private make(instruction: Instruction, info: CodeInfo, top: number): InstructionForm {
    const { reader, options } = this;
    const form = reader.lift(options.code, instruction, info, top);
    const made = this.describe(form);
    const key = reader.keyOf(instruction, info, top);
    if (key >= 0) this.keep(info.code, key, made);
    else this.single.set(this.singleKey(instruction, top), made);
    return made;
  }

  private describe(form: Form): InstructionForm {
    const { terminator } = form.block;
    if (terminator.kind === 'fault') return { kind: 'fault', fault: terminator.fault };
    if (terminator.kind === 'unsupported') return { kind: 'unsupported' };
    const { reserve, measure, instruments, extras, leaves } = this.options;
    const slot = reserve();
    const { f, fields, size } = emitHandler(form, measure, this.imports, instruments.counters, extras);
    const made = { f: leaves ? f.sealed() : f, slot };
    this.pending.push(made);
    if (leaves) this.made.push(made);
    return { kind: 'handled', slot, fields, size, ends: form.ends, topAfter: form.topAfter };
  }

  /** Helpers are imported in the order in which programs need them, so that each has one index in all modules. */
  private indexOfHelper(name: string): number {
    let index = this.helpers.indexOf(name);
    if (index < 0) index = this.helpers.push(name) - 1;
    return this.firstHelper + index;
  }

  private importAll(module: ModuleBuilder): Omit<HandlerImports, 'helpers'> {
    const { results } = HANDLER_TYPE;
    const imported = (name: string, params: ValueType[], results: readonly ValueType[]) =>
      module.importFunction('env', name, { params, results });
    return {
      handlerType: module.type(HANDLER_TYPE),
      link: imported('link', ['i32'], ['i32']),
      close: imported('close', [], []),
      closeWithin: imported('closeWithin', ['i32'], []),
      setStack: imported('setStack', ['i64'], []),
      setStackWithin: imported('setStackWithin', ['i64', 'i32'], []),
      openByCall: imported('openByCall', ['i64'], []),
      raise: imported('raise', ['i32', 'i32'], []),
      pageFault: imported('pageFault', ['i64', 'i32'], []),
      checkStore: imported('checkStore', ['i64', 'i32'], []),
      addressOf: imported('addressOf', ['i32'], ['i64']),
      callDirect: imported('callDirect', ['i32', 'i32'], results),
      callIndirect: imported('callIndirect', ['i64', 'i32', 'i32'], results),
      doReturn: imported('doReturn', ['i64'], results),
      jumpIndirect: imported('jumpIndirect', ['i64', 'i32'], results),
      loadStep: imported('loadStep', ['i64', 'i32'], ['v128']),
      storeStep: imported('storeStep', ['i64', 'i32', 'v128'], []),
    };
  }

  /** Makes the handlers of all forms met since the last time. */
  flush(): void {
    const { pending, options } = this;
    if (pending.length === 0) return;
    const bytes = this.build(pending);
    options.instruments.within(
      'handlers',
      () => new WebAssembly.Instance(new WebAssembly.Module(bytes), options.imports),
    );
    this.statistics.handlers += pending.length;
    this.statistics.modules++;
    this.statistics.bytes += bytes.length;
    this.pending = [];
  }

  /** A module of handlers. */
  private build(made: readonly Made[]): Uint8Array<ArrayBuffer> {
    const { options, helpers } = this;
    const module = new ModuleBuilder('handler');
    options.importSpace(module);
    this.importAll(module);
    for (const name of helpers) {
      const helper = HELPERS.get(name);
      if (helper === undefined) throw new Error(`no helper ${name}`);
      module.importFunction('helper', name, helper);
    }
    for (const { f, slot } of made) module.place(slot, module.define(f));
    return module.build(options.hints);
  }

  /** For later runs: the handlers of this one, and those that it has found. */
  left(): StoredHandlers {
    const { made, options } = this;
    const { before = NO_HANDLERS, prepared } = options;
    if (this.formsByCode === undefined) return before;
    const { modules, lastSlot, codes } = before;
    const first = PREPARED_SLOT + (prepared?.count ?? 0);
    const forms = this.handled().filter(([, { slot }]) => slot >= first);
    return {
      modules: made.length === 0 ? modules : [...modules, this.build(made)],
      lastSlot: made.reduce((most, { slot }) => Math.max(most, slot), lastSlot),
      forms,
      codes: [...new Map([...codes, ...this.reader.codes()])],
    };
  }

  private handled(): (readonly [key: number, form: HandledForm])[] {
    return this.shared.flatMap(
      (known) =>
        known?.forms.flatMap((form, i) =>
          form.kind === 'handled' ? [[known.keys[i], form] as const] : [],
        ) ?? [],
    );
  }

  /** All forms met so far with the module of their handlers, which was not made yet. None is of one instruction alone. */
  prepared(): { bytes: Uint8Array<ArrayBuffer>; forms: PreparedForms; codes: KnownCodes } {
    const forms = this.handled().sort(([, a], [, b]) => a.slot - b.slot);
    if (forms.length < this.shared.reduce((sum, known) => sum + (known?.forms.length ?? 0), 0))
      throw new Error('a form has no handler');
    if (this.single.size > 0)
      throw new Error(`of one instruction alone: ${[...this.single.keys()].join(', ')}`);
    return { bytes: this.build(this.pending), forms, codes: this.reader.codes() };
  }
}
