/** The part of the WebAssembly JavaScript interface that we use: Node's own types leave it to the DOM library. */
declare namespace WebAssembly {
  type ExportValue = ((...args: never[]) => unknown) | Memory | Table;
  type ImportValue = ExportValue | number;
  type ModuleImports = Record<string, ImportValue>;
  type Imports = Record<string, ModuleImports>;

  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    readonly exports: Record<string, ExportValue>;
    constructor(module: Module, imports?: Imports);
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(descriptor: { initial: number; maximum: number });
  }

  class Table {
    readonly length: number;
    constructor(descriptor: { element: 'anyfunc'; initial: number });
    grow(by: number): number;
    get(index: number): unknown;
    set(index: number, value: unknown): void;
  }

  class RuntimeError extends Error {}

  function validate(bytes: Uint8Array): boolean;
}
