import { Bytes } from './bytes.ts';
import { type FunctionBody, type Signature, TYPE_CODES, type ValueType } from './function.ts';

const FUNCTION_TYPE = 0x60;
const FUNCREF = 0x70;

/** Assembles a module: imports first, then functions, exports and table slots. */
export class ModuleBuilder {
  private readonly name: string | undefined;
  private readonly types: Signature[] = [];
  private readonly imports: { module: string; name: string; write: (out: Bytes) => void }[] = [];
  private importedFunctions = 0;
  private readonly functions: FunctionBody[] = [];
  private readonly exports: { name: string; index: number }[] = [];
  private readonly elements: { slot: number; index: number }[] = [];

  /** Profilers (`node --cpu-prof`, `--prof`) show each of its functions by this name. */
  constructor(name?: string) {
    this.name = name;
  }

  type(signature: Signature): number {
    for (let i = 0; i < this.types.length; i++)
      if (isSame(this.types[i].params, signature.params) && isSame(this.types[i].results, signature.results))
        return i;
    this.types.push(signature);
    return this.types.length - 1;
  }

  importMemory(module: string, name: string, pages: number): void {
    this.imports.push({
      module,
      name,
      write: (out) => {
        out.u8(0x02);
        out.u8(0x01);
        out.unsigned(pages);
        out.unsigned(pages);
      },
    });
  }

  importTable(module: string, name: string): void {
    this.imports.push({
      module,
      name,
      write: (out) => {
        out.u8(0x01);
        out.u8(FUNCREF);
        out.u8(0x00);
        out.unsigned(0);
      },
    });
  }

  /** All functions must be imported before the first is defined. Returns the function index. */
  importFunction(module: string, name: string, signature: Signature): number {
    if (this.functions.length > 0) throw new Error('import after definition');
    const type = this.type(signature);
    this.imports.push({
      module,
      name,
      write: (out) => {
        out.u8(0x00);
        out.unsigned(type);
      },
    });
    return this.importedFunctions++;
  }

  define(body: FunctionBody): number {
    this.type(body.signature);
    this.functions.push(body);
    return this.importedFunctions + this.functions.length - 1;
  }

  export(name: string, functionIndex: number): void {
    this.exports.push({ name, index: functionIndex });
  }

  /** Puts a function into a slot of the imported table when the module is instantiated. */
  place(slot: number, functionIndex: number): void {
    this.elements.push({ slot, index: functionIndex });
  }

  /** With the branches' hints or without. */
  build(hints = true): Uint8Array<ArrayBuffer> {
    const out = new Bytes();
    for (const byte of [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]) out.u8(byte);
    const functionTypes = this.functions.map((f) => this.type(f.signature));
    section(out, 1, this.types, (s, type) => {
      s.u8(FUNCTION_TYPE);
      s.unsigned(type.params.length);
      for (const t of type.params) s.u8(TYPE_CODES[t]);
      s.unsigned(type.results.length);
      for (const t of type.results) s.u8(TYPE_CODES[t]);
    });
    section(out, 2, this.imports, (s, item) => {
      s.name(item.module);
      s.name(item.name);
      item.write(s);
    });
    section(out, 3, functionTypes, (s, type) => s.unsigned(type));
    section(out, 7, this.exports, (s, item) => {
      s.name(item.name);
      s.u8(0x00);
      s.unsigned(item.index);
    });
    section(out, 9, this.elements, (s, item) => {
      s.u8(0x00);
      s.u8(0x41);
      s.signed32(item.slot);
      s.u8(0x0b);
      s.unsigned(1);
      s.unsigned(item.index);
    });
    if (hints) this.writeHints(out);
    section(out, 10, this.functions, (s, f) => f.finish(s));
    this.writeNames(out);
    const bytes = out.view().slice() as Uint8Array<ArrayBuffer>;
    out.release();
    return bytes;
  }

  /** The branch hinting proposal's custom section; engines that do not know it skip it. */
  private writeHints(out: Bytes): void {
    const hinted = this.functions
      .map((f, i) => ({ index: this.importedFunctions + i, hints: f.branchHints() }))
      .filter(({ hints }) => hints.length > 0);
    if (hinted.length === 0) return;
    const content = new Bytes();
    content.name('metadata.code.branch_hint');
    content.unsigned(hinted.length);
    for (const { index, hints } of hinted) {
      content.unsigned(index);
      content.unsigned(hints.length);
      for (const { at, hint } of hints) {
        content.unsigned(at);
        content.unsigned(1);
        content.unsigned(hint === 'likely' ? 1 : 0);
      }
    }
    custom(out, content);
  }

  /** The name section: subsection 1 names functions (WebAssembly core specification, 7.4.1). */
  private writeNames(out: Bytes): void {
    const { name } = this;
    if (name === undefined) return;
    const content = new Bytes();
    content.name('name');
    section(content, 1, this.functions, (s, _, i) => {
      s.unsigned(this.importedFunctions + i);
      s.name(name);
    });
    custom(out, content);
  }
}

function custom(out: Bytes, content: Bytes): void {
  out.u8(0);
  out.unsigned(content.length);
  out.append(content.view());
  content.release();
}

function section<T>(
  out: Bytes,
  id: number,
  items: readonly T[],
  write: (out: Bytes, item: T, index: number) => void,
): void {
  if (items.length === 0) return;
  const content = new Bytes();
  content.unsigned(items.length);
  items.forEach((item, index) => {
    write(content, item, index);
  });
  out.u8(id);
  out.unsigned(content.length);
  out.append(content.view());
  content.release();
}

function isSame(x: readonly ValueType[], y: readonly ValueType[]): boolean {
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return x.length === y.length;
}
