import { setPriority } from 'node:os';
import { threadsOf } from './isolation/proc.ts';

const LOW_PRIORITY_NICE = 15;

/**
 * Lowers the priority of a process below that of the other workers. SCHED_IDLE would be too low: on a busy machine the process
 * would get no processor time even to die when it is killed.
 */
export function lowerPriority(pid: number): void {
  // Each thread has its own priority; a new thread inherits it from the thread that starts it.
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, LOW_PRIORITY_NICE);
    } catch {
      // The thread has ended, or it belongs to another user.
    }
  }
}
