import type { OpenFile } from './fs/node.ts';
import { isOpen } from './open-files.ts';
import type { System } from './system.ts';
import { hangUp } from './terminals/sessions.ts';
import { tellClosed } from './watches.ts';

/** A descriptor is closed; whether that ends the open file depends on whether anything else leads to it. */
export function fileClosed(system: System, file: OpenFile): void {
  const { node } = file;
  if (node.kind === 'terminal' && node.side === 'master' && !isOpen(system, file))
    hangUp(system, node.terminal);
  if (node.kind === 'messages' && node.notifies?.process === system.state.process.id)
    node.notifies = undefined;
  tellClosed(system, file);
}
