import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostBounding } from '../../src/host/bounding.ts';
import { measureWith } from '../../src/pipeline/measure.ts';
import type { MeasureRequest } from '../../src/pipeline/request.ts';
import { boundLoopsWith } from '../../src/pipeline/run-bounds.ts';
import type { LoopProfile } from '../../src/profile/loops.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { testMeasuring } from '../guest/measuring.ts';
import { requestOf } from '../guest/request.ts';

export const measure = measureWith(testMeasuring(), boundLoopsWith(hostBounding));

/** A directory with a program's source, as its author has it. */
export class Sources {
  readonly directory = mkdtempSync(join(tmpdir(), 'run-bounds-'));

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }

  build(command: string): void {
    execFileSync('sh', ['-c', command], { cwd: this.directory });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }

  request(program: string, args: readonly string[] = [], functions: readonly string[] = []): MeasureRequest {
    const bounds = { machine: 'zen5', isa: 'x86-64', functions } as const;
    return requestOf(program, this.directory, { args, depth: 0, bounds });
  }

  async bound(
    program: string,
    args: readonly string[] = [],
    functions: readonly string[] = [],
  ): Promise<{
    readonly loops: readonly LoopProfile[];
    readonly bounds: NonNullable<Profile['bounds']>;
    readonly profile: Profile;
    readonly notes: readonly string[];
  }> {
    const { profile, notes } = await measure(this.request(program, args, functions), {
      stdout: () => {},
      stderr: () => {},
    });
    if (profile?.loops === undefined || profile.bounds === undefined) throw new Error('there are no bounds');
    return { loops: profile.loops, bounds: profile.bounds, profile, notes };
  }
}

/** The innermost loop of a function that takes most. */
export function mainLoop(loops: readonly LoopProfile[], name: string): LoopProfile {
  const found = loops.find((loop) => loop.function === name && loop.innermost);
  if (found === undefined) throw new Error(`${name} has no loop: ${loops.map((loop) => loop.function)}`);
  return found;
}
