import { codeFiles } from '../host/code-files.ts';
import { files } from '../host/files.ts';
import { readGrammar } from '../host/grammars.ts';
import { leaveAtOnce } from '../host/leave.ts';
import { readSource } from '../host/sources.ts';
import { openTerminal } from '../host/terminal.ts';
import { workingDirectory } from '../host/working-directory.ts';
import { main } from './main.ts';
import type { CliPorts } from './ports.ts';

/** Runs the command line on this machine, around the given measurement. The process ends by itself when all is written. */
export async function startCli(ports: Pick<CliPorts, 'measure' | 'measureAll' | 'version'>): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), {
    ...ports,
    files,
    code: codeFiles,
    build: async (command, directory) => (await import('./gate-host.ts')).runBuild(command, directory),
    atMergeBase: async (directory, work) => {
      const { mergeBaseOf } = await import('./gate-host.ts');
      return mergeBaseOf(process.env.GITHUB_BASE_REF || undefined)(directory, work);
    },
    readGrammar,
    readSource,
    terminal: openTerminal(),
    get workingDirectory() {
      return workingDirectory();
    },
  });
  leaveAtOnce();
}
