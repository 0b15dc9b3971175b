import { z } from 'zod';
import { createSideThread } from '../process/side-thread.ts';

const Fault = z.string().nullable();
const LIMITS = { timeoutMs: 2000, memoryMb: 128 };
const TOO_MUCH = 'checking it takes too much time or memory';

export type SchemaChecker = {
  /** Returns what is wrong with a schema, or null. */
  check(schema: Record<string, unknown>): Promise<string | null>;
  /** Returns how a value violates a schema, or null. */
  checkValue(schema: Record<string, unknown>, value: unknown): Promise<string | null>;
  close(): Promise<void>;
};

/** Checks values against schemas from untrusted sources, in a thread of its own, because a pattern in a schema may run forever. */
export function createSchemaChecker(): SchemaChecker {
  const thread = createSideThread(new URL('./thread.ts', import.meta.url), LIMITS);
  const ask = async (question: object): Promise<string | null> => {
    const answer = await thread.ask(question);
    return answer.failed ? TOO_MUCH : Fault.parse(answer.result);
  };
  return {
    check: (schema) => ask({ schema }),
    checkValue: (schema, value) => ask({ schema, value }),
    close: thread.close,
  };
}
