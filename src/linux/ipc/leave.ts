import type { System } from '../system.ts';
import { leaveQueues } from './queues.ts';
import { noteDetached } from './segments.ts';
import { leaveSemaphoreQueues, undoOperations } from './semaphores.ts';

/** The process has ended; its mappings are still listed. */
export function leaveIpc(system: System): void {
  const { shared, process } = system.state;
  const { queues, semaphores } = shared.ipc;
  noteDetached(system);
  leaveQueues(queues, process.id);
  leaveSemaphoreQueues(semaphores, process.id);
  undoOperations(system, semaphores, process.id);
}
