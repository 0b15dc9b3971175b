import { parentPort } from 'node:worker_threads';
import { z } from 'zod';

const Question = z.object({ id: z.int(), schema: z.record(z.string(), z.unknown()), value: z.unknown().optional() });
const FAULTS_SHOWN = 5;

parentPort?.on('message', (message: unknown) => {
  const { id, ...question } = Question.parse(message);
  parentPort?.postMessage({ id, result: faultOf(question) });
});
parentPort?.postMessage('ready');

/** Describes how the value violates the schema or, without a value, what is wrong with the schema; null: nothing. */
function faultOf({ schema, ...rest }: { schema: Record<string, unknown>; value?: unknown }): string | null {
  try {
    const known = z.fromJSONSchema(schema);
    if (!('value' in rest)) return null;
    const { success, error } = known.safeParse(rest.value);
    if (success) return null;
    return error.issues
      .slice(0, FAULTS_SHOWN)
      .map(({ path, message }) => `/${path.map(String).join('/')}: ${message}`)
      .join('; ');
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : 'it cannot be read';
  }
}
