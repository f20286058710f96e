import type { Node } from '../../ir/node.ts';
import { XMM } from '../state.ts';
import type { Lift } from './context.ts';
import { lane, withLane, zeroVector } from './sse-operands.ts';
import { binary, binarySelected, type Shape, type VectorTable } from './vector-form.ts';

/** SHA extensions (FIPS 180-4; SDM volume 2, SHA1MSG1 to SHA256RNDS2), on 32-bit words in lanes. */
class Words {
  private readonly c: Lift;

  constructor(c: Lift) {
    this.c = c;
  }

  private op(name: string, ...args: Node[]): Node {
    return args.reduce((x, y) => this.c.b.op(`i32.${name}`, x, y));
  }

  add(...args: Node[]): Node {
    return this.op('add', ...args);
  }

  xor(...args: Node[]): Node {
    return this.op('xor', ...args);
  }

  and(...args: Node[]): Node {
    return this.op('and', ...args);
  }

  constant(value: number): Node {
    return this.c.b.i32(value);
  }

  rotateLeft(x: Node, count: number): Node {
    return this.op('rotl', x, this.constant(count));
  }

  rotateRight(x: Node, count: number): Node {
    return this.op('rotr', x, this.constant(count));
  }

  shiftRight(x: Node, count: number): Node {
    return this.op('shr_u', x, this.constant(count));
  }

  /** Lanes of a vector, the lowest first. */
  of(v: Node): Node[] {
    return [0, 1, 2, 3].map((i) => lane(this.c, 'i32x4', v, i));
  }

  vector(lanes: readonly Node[]): Node {
    return lanes.reduce((v, x, i) => withLane(this.c, 'i32x4', v, i, x), zeroVector(this.c));
  }

  /** y where x has ones, else z. */
  choose(x: Node, y: Node, z: Node): Node {
    return this.xor(z, this.and(x, this.xor(y, z)));
  }

  majority(x: Node, y: Node, z: Node): Node {
    return this.xor(this.and(x, y), this.and(x, z), this.and(y, z));
  }

  parity(x: Node, y: Node, z: Node): Node {
    return this.xor(x, y, z);
  }
}

/** Functions and constants of rounds 0-19, 20-39, 40-59, 60-79. */
const SHA1_ROUNDS = [
  ['choose', 0x5a82_7999],
  ['parity', 0x6ed9_eba1],
  ['majority', 0x8f1b_bcdc],
  ['parity', 0xca62_c1d6],
] as const;

/** Four rounds on A, B, C, D, highest lane first; the second operand has the words, E added to the first already. */
const sha1Rounds: Shape = binarySelected((c, x, y, select) => {
  const w = new Words(c);
  const [name, constant] = SHA1_ROUNDS[select & 3];
  let [d, cc, b, a] = w.of(x);
  let e: Node = w.constant(0);
  for (const word of w.of(y).reverse()) {
    const next = w.add(w[name](b, cc, d), w.rotateLeft(a, 5), word, e, w.constant(constant));
    [e, d, cc, b, a] = [d, cc, w.rotateLeft(b, 30), a, next];
  }
  return w.vector([d, cc, b, a]);
});

/** The next E, which is A of four rounds ago rotated, added to the highest word. */
const sha1Next: Shape = binary((c, x, y) => {
  const w = new Words(c);
  const words = w.of(y);
  return withLane(c, 'i32x4', y, 3, w.add(words[3], w.rotateLeft(w.of(x)[3], 30)));
});

/** Words 0 to 3 of the message from the highest lane down, 4 and 5 in the second operand's upper half. */
const sha1First: Shape = binary((c, x, y) => {
  const w = new Words(c);
  const [w3, w2, w1, w0] = w.of(x);
  const [, , w5, w4] = w.of(y);
  return w.vector([w.xor(w5, w3), w.xor(w4, w2), w.xor(w3, w1), w.xor(w2, w0)]);
});

/** Four words of the schedule; the last needs the first. */
const sha1Second: Shape = binary((c, x, y) => {
  const w = new Words(c);
  const [x0, x1, x2, x3] = w.of(x);
  const [w15, w14, w13] = w.of(y);
  const rotated = (word: Node, other: Node) => w.rotateLeft(w.xor(word, other), 1);
  const w16 = rotated(x3, w13);
  return w.vector([rotated(x0, w16), rotated(x1, w15), rotated(x2, w14), w16]);
});

/** Two rounds: C, D, G, H in the first operand and A, B, E, F in the second, highest lane first; words and constants, added, in xmm0. */
const sha256Rounds: Shape = binary((c, x, y) => {
  const w = new Words(c);
  let [h, g, d, cc] = w.of(x);
  let [f, e, b, a] = w.of(y);
  const words = w.of(c.b.get(XMM[0]));
  for (const word of words.slice(0, 2)) {
    const sigma1 = w.xor(w.rotateRight(e, 6), w.rotateRight(e, 11), w.rotateRight(e, 25));
    const sigma0 = w.xor(w.rotateRight(a, 2), w.rotateRight(a, 13), w.rotateRight(a, 22));
    const t = w.add(w.choose(e, f, g), sigma1, word, h);
    const next = w.add(t, w.majority(a, b, cc), sigma0);
    [h, g, f, e, d, cc, b, a] = [g, f, e, w.add(t, d), cc, b, a, next];
  }
  return w.vector([f, e, b, a]);
});

const sha256First: Shape = binary((c, x, y) => {
  const w = new Words(c);
  const words = [...w.of(x), w.of(y)[0]];
  const sigma = (word: Node) => w.xor(w.rotateRight(word, 7), w.rotateRight(word, 18), w.shiftRight(word, 3));
  return w.vector([0, 1, 2, 3].map((i) => w.add(words[i], sigma(words[i + 1]))));
});

/** The third and fourth word need the first two. */
const sha256Second: Shape = binary((c, x, y) => {
  const w = new Words(c);
  const sigma = (word: Node) =>
    w.xor(w.rotateRight(word, 17), w.rotateRight(word, 19), w.shiftRight(word, 10));
  const [, , w14, w15] = w.of(y);
  const made: Node[] = [];
  w.of(x).forEach((word, i) => {
    made.push(w.add(word, sigma([w14, w15, ...made][i])));
  });
  return w.vector(made);
});

/** sha256rnds2 names xmm0 as its third operand. */
export const SHA: VectorTable = [
  ['Sha1rnds4', sha1Rounds],
  ['Sha1nexte', sha1Next],
  ['Sha1msg1', sha1First],
  ['Sha1msg2', sha1Second],
  ['Sha256rnds2', sha256Rounds],
  ['Sha256msg1', sha256First],
  ['Sha256msg2', sha256Second],
];
