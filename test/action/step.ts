import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** One step of a job, started as the runner starts a JavaScript action: one bundle, inputs and context as variables. */
export interface Step {
  readonly inputs?: Record<string, string>;
  readonly event: { readonly name: string; readonly payload: unknown; readonly sha?: string };
  /** Files of the checked-out repository. */
  readonly files?: Record<string, string>;
  readonly env?: Record<string, string>;
  /** Files of the workspace to hand back as the step leaves them. */
  readonly keep?: readonly string[];
}

export interface StepResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Record<string, string>;
  readonly summary: string;
  /** What the runner obeys in stdout. */
  readonly commands: readonly Command[];
  readonly kept: Record<string, string>;
}

interface Command {
  readonly name: string;
  readonly properties: Record<string, string>;
  readonly message: string;
}

/** Bundles an entry as the build does (CommonJS, one file) and returns the bundle's path. */
export async function bundle(entry: string, directory: string): Promise<string> {
  const outfile = join(directory, 'action.cjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    banner: { js: "const __u=require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': '__u' },
    logLevel: 'error',
  });
  return outfile;
}

export async function runStep(action: string, step: Step): Promise<StepResult> {
  const home = mkdtempSync(join(tmpdir(), 'ilp-gate-step-'));
  try {
    return await runStepIn(home, action, step);
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function runStepIn(home: string, action: string, step: Step): Promise<StepResult> {
  const place = (name: string, content: string) => {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  for (const directory of ['workspace', 'temp']) {
    mkdirSync(join(home, directory));
  }
  for (const [name, content] of Object.entries(step.files ?? {})) {
    place(join('workspace', name), content);
  }
  const outputFile = place('output', '');
  const summaryFile = place('summary', '');
  const inputs = Object.entries(step.inputs ?? {}).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    value,
  ]);
  const env = {
    PATH: process.env.PATH ?? '',
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: step.event.name,
    GITHUB_EVENT_PATH: place('event.json', JSON.stringify(step.event.payload)),
    GITHUB_SHA: step.event.sha ?? '0'.repeat(40),
    GITHUB_REPOSITORY: 'octo/numbers',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_RUN_ID: '77',
    GITHUB_WORKSPACE: join(home, 'workspace'),
    RUNNER_TEMP: join(home, 'temp'),
    GITHUB_OUTPUT: outputFile,
    GITHUB_STEP_SUMMARY: summaryFile,
    GITHUB_ENV: place('env', ''),
    GITHUB_PATH: place('path', ''),
    ...Object.fromEntries(inputs),
    ...step.env,
  };
  const { status, stdout, stderr } = await spawnNode([action], join(home, 'workspace'), env);
  return {
    status,
    stdout,
    stderr,
    outputs: parseOutputs(readFileSync(outputFile, 'utf8')),
    summary: readFileSync(summaryFile, 'utf8'),
    commands: obeyed(stdout),
    kept: Object.fromEntries(
      (step.keep ?? []).map((path) => [path, readFileSync(join(home, 'workspace', path), 'utf8')]),
    ),
  };
}

function spawnNode(args: readonly string[], cwd: string, env: Record<string, string>) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({
        status,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
      });
    });
  });
}

/** The file of GITHUB_OUTPUT: `name<<delimiter`, lines, `delimiter`. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const pattern = /^([\w-]+)<<(\S+)\n([\s\S]*?)\n?\2$/gm;
  for (const [, name, , value] of text.matchAll(pattern)) {
    outputs[name] = value;
  }
  return outputs;
}

/**
 * The commands that the runner would carry out, by its own rules: `::name p=v::message` at the start of a line after
 * spaces, or `##[name p=v]message` anywhere in it, and none between `::stop-commands::word` and `::word::`.
 */
function obeyed(stdout: string): readonly Command[] {
  const commands: Command[] = [];
  let stop: string | undefined;
  for (const line of stdout.split(/\r?\n|\r/)) {
    const found =
      /^\s*::(?<name>[\w-]+)(?: (?<properties>[^:]*))?::(?<message>.*)$/.exec(line) ??
      /##\[(?<name>[\w-]+)(?: (?<properties>[^\]]*))?\](?<message>.*)$/.exec(line);
    if (found?.groups === undefined) {
      continue;
    }
    const { name, properties = '', message } = found.groups;
    if (stop !== undefined) {
      stop = name === stop ? undefined : stop;
    } else if (name === 'stop-commands') {
      stop = message;
    } else {
      commands.push({ name, properties: parseProperties(properties), message: unescapeData(message) });
    }
  }
  return commands;
}

function parseProperties(text: string): Record<string, string> {
  const pairs = text.split(',').filter((it) => it !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const value = pair
        .slice(at + 1)
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',');
      return [pair.slice(0, at), unescapeData(value)];
    }),
  );
}

function unescapeData(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}
