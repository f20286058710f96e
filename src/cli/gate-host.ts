/** What check and update need of this machine: other processes. */
export { runBuild } from '../host/build.ts';
export { measureInProcesses } from '../host/measure-all.ts';
export { mergeBaseOf } from '../host/merge-base.ts';
