import { z } from 'zod';
import { SourceWarning } from '../../contract/source-warning.ts';
import { createSideThread } from '../process/side-thread.ts';

const Checked = z.object({ warnings: z.array(SourceWarning), code: z.string().nullable() });
/** `code`: what workers run (contract/task-source.ts); null where the source has faults or could not be parsed in time. */
export type CheckedSource = z.infer<typeof Checked>;
/** A source that takes longer to parse is saved with a warning; if it is broken, its runs fail. */
const LIMITS = { timeoutMs: 10_000, memoryMb: 256 };
const UNREADABLE: SourceWarning = { line: 1, column: 1, message: 'the source is too long or nested too deep to be parsed in time' };

export type SourceChecker = { check(source: string): Promise<CheckedSource>; close(): Promise<void> };

/** Parses and compiles task sources in a thread of its own. */
export function createSourceChecker(): SourceChecker {
  const thread = createSideThread(new URL('./thread.ts', import.meta.url), LIMITS);
  return {
    check: async (source) => {
      const answer = await thread.ask({ source });
      return answer.failed ? { warnings: [UNREADABLE], code: null } : Checked.parse(answer.result);
    },
    close: thread.close,
  };
}
