import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json, JsonObject } from './run-events.ts';

export const LlmMessage = z
  .object({ role: z.enum(['system', 'user', 'assistant']), content: z.string().min(1) })
  .meta({ id: 'LlmMessage' });

export const LlmCompletion = z
  .object({
    text: z.string(),
    /** With a schema: the text read as JSON, which is as the schema says; else null. */
    json: Json,
    /** Of the service; `stop` where it came to its end, `length` at max_tokens. */
    finish_reason: z.string(),
    usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }),
    /** A sample: nobody was asked. */
    dry_run: z.literal(true).exactOptional(),
  })
  .meta({ id: 'LlmCompletion' });
export type LlmCompletion = z.infer<typeof LlmCompletion>;

export const llmEndpoints = endpointsOf({
  id: 'llm.complete',
  method: 'POST',
  path: '/llm/completions',
  summary: "Ask the shop's language model, on the budget of the run; for runs alone",
  permission: 'llm',
  body: z.object({
    messages: z.array(LlmMessage).min(1).max(1000),
    /** JSON schema that the answer shall keep. */
    schema: JsonObject.optional(),
    max_tokens: z.int().min(1).max(1_000_000),
  }),
  status: 200,
  response: LlmCompletion,
  refusals: ['llm_not_configured', 'llm_budget_spent', 'llm_refused', 'llm_answer_invalid', 'provider_error', 'busy'],
  /** It changes nothing of the shop. */
  writes: false,
  added: true,
});
