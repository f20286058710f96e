/** That part of a request for bounds. */
export function hardwareOf({ hardwareRuns }: { readonly hardwareRuns?: number }): {
  readonly hardwareRuns?: number;
} {
  return hardwareRuns === undefined ? {} : { hardwareRuns };
}
