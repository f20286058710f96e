import type { CommentService } from '../comment/ports.ts';

/** What the action needs of the runner that started it. */
export interface Runner {
  /** An input of action.yml, '' where it was not given. */
  input(name: string): string;
  output(name: string, value: string | number): void;
  /** One line for the log. It goes out as it is: foreign text in it has been through report/escape.ts. */
  log(line: string): void;
  notice(line: string): void;
  warning(line: string): void;
  /** Has the runner mask this value in the log from now on. */
  secret(value: string): void;
  annotate(annotation: Annotation): void;
  /** Appends Markdown to the job summary. */
  summary(markdown: string): void;
  /** Shows the message as an error and makes the step fail when the process ends. */
  fail(message: string): void;
  /** Runs work in a folded group of the log. */
  group<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Runs work whose output is not ours in a folded group of the log, with the runner deaf to commands in it. */
  unattended<T>(title: string, work: () => Promise<T>): Promise<T>;
}

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Relative to the workspace; absent where no source line is known or the file is outside of it. */
  readonly place: { readonly file: string; readonly line: number } | undefined;
}

/** Where and why the action runs. */
export interface RunnerContext {
  readonly event: TriggerEvent;
  /** `owner/name`. */
  readonly repository: string;
  /** Absolute directory that the repository is checked out to. */
  readonly workspace: string;
  /** Absolute directory that is emptied after the job. */
  readonly temporary: string;
  readonly runUrl: string | undefined;
}

/** `commit` is the one a reader knows: on a pull request its head, not the merge commit that is checked out. */
export type TriggerEvent =
  | {
      readonly kind: 'pull-request' | 'pull-request-target';
      readonly number: number;
      readonly commit: string;
      readonly fork: boolean;
      /** The branch to merge into. */
      readonly base: string;
    }
  /** `base`: the commit before the push, on the default branch; elsewhere its remote's default branch is the base. */
  | { readonly kind: 'push'; readonly commit: string; readonly base: string | undefined }
  | { readonly kind: 'workflow-run'; readonly commit: string; readonly fork: boolean }
  | { readonly kind: 'issue-comment'; readonly commit: string; readonly onPullRequest: boolean }
  | { readonly kind: 'other'; readonly name: string; readonly commit: string };

/** What to build, measure and compare. */
export interface GateRequest {
  readonly source: /** The configuration as the user named it: absolute, or relative to the working directory. */
  { readonly kind: 'config'; readonly path: string } | { readonly kind: 'command'; readonly command: string };
  /** Absolute. */
  readonly workingDirectory: string;
  /** Names of the targets to measure; empty means all. */
  readonly targets: readonly string[];
  readonly updateBaseline: boolean;
  /** Branch or commit whose merge base with the head `base: merge-base` builds; absent: the remote's default branch. */
  readonly base: string | undefined;
  /** Absolute path of an empty directory for the report and the profiles. */
  readonly outputDirectory: string;
}

export interface GateResult {
  /** A word for scripts: the output `verdict`. */
  readonly verdict: string;
  /** Whether the verdict lets the job pass. */
  readonly passed: boolean;
  /** Whether anything measured differs from the baseline, or a limit was passed. */
  readonly changed: boolean;
  readonly regressions: number;
  /** One sentence, as plain text. */
  readonly headline: string;
  /** The report, at most 60,000 characters, its first line the verdict. */
  readonly markdown: string;
  readonly annotations: readonly GateAnnotation[];
  /** Sums over the targets; absent where none could be measured. */
  readonly totals:
    | { readonly instructions: number; readonly cycles: number; readonly ilp: number }
    | undefined;
  readonly reportPath: string;
  /** The report as an HTML page; absent where nothing was compared. */
  readonly pagePath?: string;
  readonly profilePaths: readonly string[];
}

export interface GateAnnotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Absolute path; absent where no source line is known. */
  readonly file?: string;
  readonly line?: number;
}

/** Everything outside of this folder that a run of the action touches. */
export interface ActionPorts {
  readonly runner: Runner;
  readonly context: RunnerContext;
  /** Throws Failure for configuration, environment and guest errors; a regression is a result. */
  readonly gate: (request: GateRequest) => Promise<GateResult>;
  readonly comments: (token: string, repository: string) => CommentService;
  /** Returns the artifact's id. Throws Failure. */
  readonly upload: (request: {
    readonly name: string;
    readonly files: readonly string[];
    readonly root: string;
  }) => Promise<number>;
  readonly files: {
    isDirectory(path: string): boolean;
    /** Creates a new empty directory below `parent`. */
    makeDirectory(parent: string, prefix: string): string;
  };
}
