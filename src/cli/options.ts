import { InvalidArgumentError } from 'commander';

/** Parsers of single option values; commander puts the option's name before their messages. */

export function wholeNumber(least: number): (value: string) => number {
  return (value) => {
    const plain = value.replaceAll('_', '');
    const number = /^-?\d+(?:e\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
    if (!Number.isSafeInteger(number) || number < least)
      throw new InvalidArgumentError(`It must be a whole number, at least ${least}.`);
    return number;
  };
}

export function collect(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

export function collectEnv(
  value: string,
  earlier: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...earlier, [value.slice(0, at)]: value.slice(at + 1) };
}

/** `K` for all loops, `LABEL=K` for one. */
export function collectUnroll(
  value: string,
  earlier: ReadonlyMap<string | undefined, number> | undefined,
): ReadonlyMap<string | undefined, number> {
  const at = value.lastIndexOf('=');
  const degree = value.slice(at + 1);
  if (!/^[1-9]\d{0,5}$/.test(degree) || at === 0)
    throw new InvalidArgumentError('It must be a whole number, or LABEL=NUMBER.');
  return new Map([...(earlier ?? []), [at < 0 ? undefined : value.slice(0, at), Number(degree)]]);
}

/** Own arguments and, after the first `--`, the guest's command; undefined when there is no `--`. */
export function splitAtDashes(argv: readonly string[]): {
  readonly own: readonly string[];
  readonly command: readonly string[] | undefined;
} {
  const at = argv.indexOf('--');
  return at < 0 ? { own: argv, command: undefined } : { own: argv.slice(0, at), command: argv.slice(at + 1) };
}
