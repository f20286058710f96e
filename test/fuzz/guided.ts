import { Session } from 'node:inspector';
import { Random } from '../x86/native/random.ts';

/** What a part of the source was executed how often: once, twice, four times and so on are different things. */
type Trait = string;

/** Tells which parts of the sources were executed since it was asked last. */
class Coverage {
  private readonly session = new Session();
  private readonly part: string;

  /** Of sources whose path contains the part. */
  constructor(part: string) {
    this.part = part;
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  take(): Set<Trait> {
    const traits = new Set<Trait>();
    // Without a round trip to another thread the answer is there when `post` returns.
    this.session.post('Profiler.takePreciseCoverage', (problem, { result }) => {
      if (problem !== null) throw problem;
      for (const { url, scriptId, functions } of result)
        if (url.includes(this.part))
          for (const { ranges } of functions)
            for (const { startOffset, endOffset, count } of ranges)
              if (count > 0)
                traits.add(`${scriptId}:${startOffset}-${endOffset}:${Math.floor(Math.log2(count))}`);
    });
    return traits;
  }

  end(): void {
    this.session.disconnect();
  }
}

export interface Guided {
  readonly cases: number;
  /** Inputs that did what none before had done, the seeds among them. */
  readonly kept: number;
  readonly traits: number;
}

/**
 * Coverage-guided fuzzing in small: inputs that reach parts of the sources that no input has reached, or reach them more
 * often, are changed further. Whatever `read` throws ends it, with the input in the message.
 */
export function guided(
  seeds: readonly Uint8Array[],
  part: string,
  cases: number,
  seed: number,
  read: (input: Uint8Array) => void,
): Guided {
  const random = new Random(seed);
  const coverage = new Coverage(part);
  const known = new Set<Trait>();
  const corpus: Uint8Array[] = [];
  const attempt = (input: Uint8Array, keeps: boolean): void => {
    try {
      read(input);
    } catch (problem) {
      throw new Error(`${problem}\ninput, in base64: ${Buffer.from(input).toString('base64')}`, {
        cause: problem,
      });
    }
    const traits = coverage.take();
    const before = known.size;
    for (const trait of traits) known.add(trait);
    if (keeps || known.size > before) corpus.push(input);
  };
  try {
    coverage.take();
    for (const each of seeds) attempt(each, true);
    for (let i = 0; i < cases; i++) {
      // The newest as often as all others: they are where something is to be found.
      const at = random.chance(50) ? corpus.length - 1 - random.below(Math.min(8, corpus.length)) : undefined;
      attempt(changed(corpus[at ?? random.below(corpus.length)], corpus, random), false);
    }
  } finally {
    coverage.end();
  }
  return { cases, kept: corpus.length, traits: known.size };
}

const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

function changed(good: Uint8Array, corpus: readonly Uint8Array[], random: Random): Uint8Array {
  const bytes = good.slice();
  const view = new DataView(bytes.buffer);
  for (let changes = 1 + random.below(4); changes > 0 && bytes.length > 8; changes--) {
    const at = random.below(bytes.length - 8);
    switch (random.below(5)) {
      case 0:
        bytes[at] ^= 1 << random.below(8);
        break;
      case 1:
        bytes[at] += random.below(33) - 16;
        break;
      case 2:
        view.setUint32(at, random.pick(EDGES), true);
        break;
      case 3: {
        const other = random.pick(corpus);
        const size = Math.min(1 + random.below(32), other.length, bytes.length - at);
        const from = random.below(other.length - size + 1);
        bytes.set(other.subarray(from, from + size), at);
        break;
      }
      default:
        bytes[at] = random.below(256);
    }
  }
  return random.chance(2) ? bytes.slice(0, random.below(bytes.length)) : bytes;
}
