import { setPriority } from 'node:os';
import { threadsOf } from './isolation/proc.ts';

const BEHIND_NICE = 15;

/**
 * Puts a process behind the other workers. Not so far (SCHED_IDLE) that a busy machine would leave it no time to die in.
 */
export function putBehind(pid: number): void {
  // Each thread has a priority of its own; new ones take it from the one that starts them.
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, BEHIND_NICE);
    } catch {
      // Gone, or another user's.
    }
  }
}
