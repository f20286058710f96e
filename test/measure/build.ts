import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether the tools are here. Without them the tests are skipped, unless REQUIRE_ORACLES is set. */
export function isMissing(...tools: readonly string[]): boolean {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0 && process.env.REQUIRE_ORACLES === '1')
    throw new Error(`${missing.join(' and ')} missing`);
  return missing.length > 0;
}

/** A directory for the programs of one test file. */
export class Workshop {
  readonly directory = mkdtempSync(join(tmpdir(), 'ilp-gate-measure-'));
  private made = 0;

  /** Path of a static program without any library: assembly in Intel syntax that defines _start. */
  assemble(text: string): string {
    const source = this.write('s', `.intel_syntax noprefix\n${text}\n`);
    return this.gcc(source, ['-nostdlib', '-static', '-Wl,--build-id=none', '-Wl,-z,noexecstack']);
  }

  /** Path of a program made of C: flags choose how it is compiled and linked. */
  compile(text: string, flags: readonly string[], compiler = 'gcc'): string {
    return this.gcc(this.write('c', text), flags, compiler);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }

  private write(extension: string, text: string): string {
    const source = join(this.directory, `${++this.made}.${extension}`);
    writeFileSync(source, text);
    return source;
  }

  private gcc(source: string, flags: readonly string[], compiler = 'gcc'): string {
    const program = source.replace(/\.[sc]$/, '');
    execFileSync(compiler, [...flags, '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] });
    return program;
  }
}

/** A `_start` that calls main and exits with what it returns, for programs without a library. */
export const START = `
.globl _start
.type _start, @function
_start:
  call main
  mov edi, eax
  mov eax, 231
  syscall
.size _start, .-_start
`;

/** One function in assembly, as a symbol with a type and a size. */
export function assemblyFunction(name: string, body: string): string {
  return `.globl ${name}\n.type ${name}, @function\n${name}:\n${body}\n.size ${name}, .-${name}\n`;
}
