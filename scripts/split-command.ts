/** A command line's own arguments, and the program with its arguments behind the first "--". */
export function splitCommand(args: readonly string[]): {
  readonly own: readonly string[];
  readonly program: readonly string[];
} {
  const at = args.indexOf('--');
  return at < 0 ? { own: args, program: [] } : { own: args.slice(0, at), program: args.slice(at + 1) };
}
