import { describe, expect, it } from 'vitest';
import { BlockBuilder } from '../../ir/builder.ts';
import type { AccessSize } from '../../ir/node.ts';
import { GPR, RBP, RSP, VARIABLES } from '../../x86/state.ts';
import { groupAccesses } from './access-groups.ts';

const RBX = GPR[3];
const RDI = GPR[7];

type Access = readonly [
  base: number | undefined,
  offset: number,
  size?: AccessSize,
  kind?: 'load' | 'store' | 'when',
];

/** Of each access in turn: the number of its group, in the order of their first accesses, and its distance; undefined for none. */
function groupsOf(...accesses: readonly Access[]) {
  const b = new BlockBuilder(VARIABLES, 0x1000);
  b.begin(0x1000, 4);
  for (const [base, offset, size = 8, kind = 'load'] of accesses) {
    const address = base === undefined ? b.i64(offset) : b.op('i64.add', b.get(base), b.i64(offset));
    if (kind === 'load') b.load(address, size, size < 8 ? 'i32' : 'i64');
    else if (kind === 'store') b.store(address, size, b.get(RBX));
    else b.storeWhen(b.op('i32.wrap_i64', b.get(RBX)), address, size, b.get(RBX));
  }
  b.end();
  const { statements } = b.finish({ kind: 'jump', target: 0x1004 });
  const members = groupAccesses(statements);
  const groups = [...new Set([...members.values()].map(({ group }) => group))];
  return {
    groups,
    members: statements.map((statement) => {
      const member = members.get(statement);
      return member && [groups.indexOf(member.group), member.distance];
    }),
  };
}

describe('accesses at constant distances', () => {
  it('are one group from the lowest byte to the highest', () => {
    const { groups, members } = groupsOf([RDI, 16], [RDI, -8], [RDI, 4, 4]);
    expect(members).toEqual([
      [0, 24],
      [0, 0],
      [0, 12],
    ]);
    expect(groups).toMatchObject([{ low: -8, high: 24, stores: undefined, isInFrame: false }]);
  });

  it('know which bytes are stored to', () => {
    const { groups } = groupsOf([RDI, 0], [RDI, 8, 8, 'store'], [RDI, 32, 4, 'store'], [RDI, 64]);
    expect(groups).toMatchObject([{ low: 0, high: 72, stores: { low: 8, high: 36 } }]);
  });

  it('are groups of their own for each base, and of those of the stack it is known', () => {
    const { groups, members } = groupsOf([RSP, 8], [RDI, 0], [RSP, 0], [RDI, 8], [RBP, -8], [RBP, -16]);
    expect(members.map((member) => member![0])).toEqual([0, 1, 0, 1, 2, 2]);
    expect(groups.map(({ isInFrame }) => isInFrame)).toEqual([true, false, true]);
  });

  it('lie in whole granules of each other', () => {
    const { members } = groupsOf([RDI, 0], [RDI, 2], [RDI, 4], [RDI, 6]);
    expect(members.map((member) => member![0])).toEqual([0, 1, 0, 1]);
  });

  it('are too far apart for one check beyond two pages', () => {
    const { groups, members } = groupsOf([RDI, 0], [RDI, 2040], [RDI, 2041 + 7], [RDI, 2056]);
    expect(groups).toMatchObject([
      { low: 0, high: 2048 },
      { low: 2048, high: 2064 },
    ]);
    expect(members).toEqual([
      [0, 0],
      [0, 2040],
      [1, 0],
      [1, 8],
    ]);
  });

  it('are not grouped alone, where they need not be aligned, where they may not happen, and where the address is known', () => {
    expect(groupsOf([RDI, 0], [RBX, 0]).members).toEqual([undefined, undefined]);
    expect(groupsOf([RDI, 0, 1], [RDI, 1, 1], [RDI, 2, 2]).members).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(groupsOf([RDI, 0, 4, 'when'], [RDI, 4, 4, 'when']).members).toEqual([undefined, undefined]);
    expect(groupsOf([undefined, 0x4000], [undefined, 0x4008]).members).toEqual([undefined, undefined]);
  });

  it('are not grouped over distances that 32 bits of an address cannot tell', () => {
    expect(groupsOf([RDI, 0], [RDI, 0x4000_0000]).groups).toEqual([]);
  });
});
