import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../bundle.ts';

/** The command line in a directory of its own, where a profile of an earlier run lies. */
export class CommandLine {
  readonly directory = mkdtempSync(join(tmpdir(), 'ilp-gate-bad-input-'));
  private readonly cli = bundle(join(this.directory, 'bundle'));

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }

  /** Measures, with a profile asked for, and says how it ended. */
  measure(options: readonly string[], ...command: readonly string[]): CommandOutcome {
    const profile = join(this.directory, 'profile.json');
    writeFileSync(profile, 'of an earlier run\n');
    const before = readdirSync(this.directory);
    const args = [this.cli, 'measure', '--json', 'profile.json', ...options, '--', ...command];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.directory,
      encoding: 'utf8',
      input: '',
    });
    const isUntouched = readFileSync(profile, 'utf8') === 'of an earlier run\n';
    const left = readdirSync(this.directory).filter((name) => !before.includes(name));
    return { status, stdout, stderr, isUntouched, left };
  }
}

export interface CommandOutcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The profile of the earlier run is still there. */
  readonly isUntouched: boolean;
  /** Files that are new in the directory. */
  readonly left: readonly string[];
}
