import { z } from 'zod';
import { SourceWarning } from '../../contract/source-warning.ts';
import { createSideThread } from '../process/side-thread.ts';

const Warnings = z.array(SourceWarning);
/** A source that takes longer to parse is saved with a warning; if it is broken, its runs fail. */
const LIMITS = { timeoutMs: 5000, memoryMb: 256 };
const UNREADABLE: SourceWarning = { line: 1, column: 1, message: 'the source is too long or nested too deep to be parsed in time' };

export type SourceChecker = { check(source: string): Promise<SourceWarning[]>; close(): Promise<void> };

/** Parses task sources in a thread of its own. */
export function createSourceChecker(): SourceChecker {
  const thread = createSideThread(new URL('./thread.ts', import.meta.url), LIMITS);
  return {
    check: async (source) => {
      const answer = await thread.ask({ source });
      return answer.failed ? [UNREADABLE] : Warnings.parse(answer.result);
    },
    close: thread.close,
  };
}
