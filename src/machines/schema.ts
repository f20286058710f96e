import * as z from 'zod/mini';

/**
 * What a machine file must be, key by key. A file may name another machine with `extends` and give only what differs; what
 * is then put together must have every key. Each group of numbers names where they come from (`sources`).
 */
const MACHINE_FORMAT = 'ilp-gate/machine';
const MACHINE_VERSION = 1;

/**
 * More than any processor has of anything that a schedule goes through one by one: what lies above is a slip of the pen, and
 * would take hours.
 */
export const MOST = 10_000;

const count = z.int().check(z.gte(0), z.lte(MOST));
const positive = z.int().check(z.gte(1), z.lte(MOST));
/** Of what is only compared with. */
const size = z.int().check(z.gte(0));
const source = z.string().check(z.minLength(1));

/** Ports are single characters; bounds look at all sets of them. */
const ports = z.string().check(z.regex(/^[0-9A-Za-z]{1,24}$/));

const fields = {
  title: z.string(),
  kind: z.literal('x86-64'),
  /** Name of a source → what it is. */
  sources: z.record(z.string(), z.string()),
  /** Fused micro-operations renamed, and retired, in a cycle; of those with vector registers only `vector` are renamed. */
  issue: z.strictObject({ width: positive, retire: positive, vector: z.exactOptional(positive), source }),
  /** Instruction lengths are found in aligned blocks of so many bytes, so many instructions a cycle. */
  predecode: z.strictObject({
    bytes: positive,
    width: positive,
    /** Cycles that a length-changing prefix (66 before an immediate of 16 bits) stalls for; 0 where it does not. */
    lengthChangingPenalty: count,
    source,
  }),
  decode: z.strictObject({
    /** Instructions that can wait between predecoder and decoders. */
    queue: positive,
    decoders: positive,
    /** Micro-operations of an instruction that the first decoder can make; the others make one. More are microcode. */
    complexUops: positive,
    /** Micro-operations that all decoders together make in a cycle; absent for one each. */
    groupUops: z.exactOptional(positive),
    /** Instructions that make several micro-operations can go to any decoder (AMD's double instructions). */
    symmetric: z.exactOptional(z.boolean()),
    /** Whether an instruction that might fuse with a branch may be the last of its group. */
    fusibleOnLast: z.boolean(),
    source,
  }),
  /**
   * Cache of decoded instructions: micro-operations delivered in a cycle, and held. `lines` where it matters how code lies in
   * aligned lines of so many bytes, and how many micro-operations of one are an entry.
   */
  uopCache: z.strictObject({
    width: positive,
    uops: size,
    lines: z.exactOptional(z.strictObject({ bytes: positive, entry: positive })),
    source,
  }),
  /** Loops up to so many micro-operations are replayed without being fetched; 0 where there is no such buffer. */
  loopBuffer: z.strictObject({ uops: size, source }),
  window: z.strictObject({
    reorder: positive,
    /** Of all schedulers together; a machine with several gives `schedulers`. */
    scheduler: positive,
    schedulers: z.exactOptional(z.array(z.strictObject({ ports, entries: positive }))),
    decodedQueue: positive,
    loads: positive,
    stores: positive,
    source,
  }),
  ports,
  memory: z.strictObject({
    load: ports,
    /** Loads of vectors, where fewer ports do them. */
    loadVector: z.exactOptional(ports),
    storeAddress: ports,
    /** Where the address has an index. */
    storeAddressIndexed: ports,
    storeData: ports,
    storeDataVector: z.exactOptional(ports),
    /** Into a general register; 64 or 128 bits of vector; 256 and more. */
    loadLatency: z.tuple([positive, positive, positive]),
    /** One cycle less where the base register comes from a load and 0 <= displacement < 2048. */
    fastPointer: z.boolean(),
    /** Cycles more where the address has an index that is scaled; absent for none. */
    scaledIndex: z.exactOptional(positive),
    /** Cycles from a store's data to the result of a load that takes it from the store buffer. */
    forward: positive,
    /** The same where the store wrote only a part of it, so that the load waits until the store is in the cache. */
    blocked: positive,
    /** The same for vectors, where it is not the same. */
    forwardVector: z.exactOptional(positive),
    /**
     * The same into a general register where both addresses are spelled alike, with registers unchanged in between, on
     * processors that rename memory: with any base, or with rsp and rbp alone. Absent where it is not done.
     */
    renamed: z.exactOptional(z.strictObject({ cycles: count, bases: z.enum(['any', 'stack']) })),
    source,
  }),
  rename: z.strictObject({
    /** How many eliminated moves can be tracked; absent for none, 0 for no limit. */
    moveElimination: z.strictObject({
      general: z.exactOptional(count),
      vector: z.exactOptional(count),
      source,
    }),
    /** Mnemonics that, with both sources one register, need neither it nor a port. */
    zeroIdioms: z.string(),
    /** Mnemonics that, with both sources one register, do not wait for it. */
    onesIdioms: z.string(),
    /** Ports of the micro-operation that brings the stack pointer up to date; absent where none is needed. */
    stackEngine: z.strictObject({ syncPorts: z.exactOptional(ports), source }),
    source,
  }),
  fusion: z.strictObject({
    /** Which pairs with a conditional branch are one micro-operation. */
    macro: z.enum(['intel', 'amd', 'amd-extended', 'none']),
    /** What shares a slot: nothing, a load or a store's address with its operation, or all of a memory operation. */
    micro: z.enum(['none', 'pairs', 'whole']),
    /** Which indexed addresses undo that before renaming. */
    unlaminate: z.enum(['none', 'sandybridge', 'haswell']),
    source,
  }),
  caches: z.array(z.strictObject({ level: positive, bytes: size, latency: positive, source })),
  mispredict: z.strictObject({ cycles: positive, source }),
  /** Floating-point operations in a cycle at most, of the widest vectors. */
  flops: z.strictObject({ double: positive, single: positive, source }),
};

const bypass = z.strictObject({
  /** Regular expressions over the forms of the instruction with the result and of the one that takes it. */
  from: z.string(),
  to: z.string(),
  /** Cycles that the result is there sooner than for others. */
  sooner: positive,
  source,
});

const overlay = z.strictObject({
  /** A regular expression that the whole name of a form must match. */
  match: z.string(),
  /** Compute micro-operations (`2*0156+1`); loads and stores follow from the operands unless `L` and `S` are written. */
  uops: z.exactOptional(z.string()),
  latency: z.exactOptional(count),
  /** Cycles that the divider is busy. */
  divider: z.exactOptional(count),
  /** Slots at issue, where they are not what the micro-operations say. */
  slots: z.exactOptional(count),
  source,
});

const table = z.strictObject({
  note: z.string(),
  /** `[uops, latency, divider?, slots?]`, checked when it is read: there are hundreds. */
  classes: z.array(z.array(z.union([z.string(), z.number()]))),
  /** Mnemonic → class → operands of the forms. */
  forms: z.record(z.string(), z.record(z.string(), z.string())),
});

/** How the table was made: read by scripts/machine-tables.ts only. */
const llvm = z.unknown();

const identity = {
  format: z.literal(MACHINE_FORMAT),
  version: z.literal(MACHINE_VERSION),
  name: z.string(),
};

const tables = {
  llvm: z.exactOptional(llvm),
  bypasses: z.exactOptional(z.array(bypass)),
  overlay: z.exactOptional(z.array(overlay)),
  table: z.exactOptional(table),
};

export const wholeShape = z.strictObject({ ...identity, ...fields, ...tables });

export const fileShape = z.strictObject({
  ...identity,
  extends: z.exactOptional(z.string()),
  ...z.partial(z.strictObject(fields)).shape,
  ...tables,
});

/** The machine of the paper, which issues in order and has no table of instructions: its equations count them. */
export const ksrShape = z.strictObject({
  ...identity,
  title: z.string(),
  kind: z.literal('ksr1'),
  sources: z.record(z.string(), z.string()),
  clock: z.strictObject({ megahertz: positive, source }),
  /** Units that share a side of the instruction pair, and instructions of a side in a cycle. */
  issue: z.strictObject({ sides: z.array(z.array(z.string())), perSide: positive, source }),
  /** Instructions of the floating-point unit in a cycle; a linked triad is a multiplication and an addition in one. */
  floatingPoint: z.strictObject({
    operations: positive,
    triads: positive,
    operationsOfTriad: positive,
    source,
  }),
  /** Loads and stores in a cycle. */
  memory: z.strictObject({ accesses: positive, source }),
  /** Cycles from an instruction to the first that can use its result; a move is from one side's registers to the other's. */
  latency: z.strictObject({
    load: positive,
    floatingPoint: positive,
    integer: positive,
    address: positive,
    move: positive,
    source,
  }),
  /** What cannot be in one cycle, because of a register port that both need. */
  conflict: z.strictObject({ port: z.string(), between: z.array(z.string()), source }),
  branch: z.strictObject({ delaySlots: count, source }),
  registers: z.strictObject({
    floatingPoint: positive,
    integer: positive,
    address: positive,
    input: positive,
    source,
  }),
  /** From the nearest to the farthest; cycles of a read, from the least to the most. */
  caches: z.array(
    z.strictObject({ name: z.string(), bytes: size, cycles: z.tuple([z.number(), z.number()]), source }),
  ),
});

export type KsrMachine = z.infer<typeof ksrShape>;
export type MachineFile = z.infer<typeof fileShape>;
export type WholeMachine = z.infer<typeof wholeShape>;
