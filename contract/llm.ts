import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json, JsonObject } from './run-events.ts';

export const LlmMessage = z
  .object({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) })
  .meta({ id: 'LlmMessage' });

export const LlmCompletion = z
  .object({
    text: z.string(),
    /** With `schema`: the text parsed as JSON, which matches the schema. Without: null. */
    json: Json,
    /** As the language model service reports it: `stop` if the answer is complete, `length` if it was cut at `max_tokens`. */
    finish_reason: z.string(),
    usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }),
    /** Present in a dry run: the answer is a sample, and no service was asked. */
    dry_run: z.literal(true).exactOptional(),
  })
  .meta({ id: 'LlmCompletion' });
export type LlmCompletion = z.infer<typeof LlmCompletion>;

export const llmEndpoints = endpointsOf({
  id: 'llm.complete',
  method: 'POST',
  path: '/llm/completions',
  summary: "Ask the shop's language model; only runs can call it, and the tokens count against the run's budget",
  permission: 'llm',
  body: z.object({
    messages: z.array(LlmMessage).min(1).max(1000),
    /** The JSON schema that the answer must match. */
    schema: JsonObject.optional(),
    max_tokens: z.int().min(1).max(1_000_000),
  }),
  response: LlmCompletion,
  refusals: ['llm_not_configured', 'llm_budget_spent', 'llm_refused', 'llm_answer_invalid', 'provider_error', 'busy'],
  /** The call changes nothing in the shop. */
  writes: false,
});
