import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { JsonObject } from './run-events.ts';
import { clamped, Id, Timestamp, text } from './values.ts';

/** One value that a run asks a person for. `options` lists the values that a `choice` accepts. */
export const PromptField = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must begin with a letter or _, followed by letters, digits and _; at most 64 characters'),
    kind: z.enum(['string', 'text', 'number', 'boolean', 'date', 'choice']),
    label: text({ max: 1000 }).optional(),
    required: z.boolean().optional(),
    options: z
      .array(z.union([text({ max: 1000 }), z.number(), z.boolean()]))
      .min(1)
      .max(1000)
      .optional(),
  })
  .superRefine(({ kind, options }, ctx) => {
    if ((kind === 'choice') === (options !== undefined)) return;
    const code = kind === 'choice' ? 'required' : 'invalid_value';
    const message = kind === 'choice' ? 'a choice needs options' : `only a choice can have options, not a ${kind}`;
    ctx.addIssue({ code: 'custom', path: ['options'], message, params: { code } });
  })
  .meta({ id: 'PromptField' });
export type PromptField = z.infer<typeof PromptField>;

const Fields = z
  .array(PromptField)
  .max(100)
  .superRefine((list, ctx) => {
    const seen = new Set<string>();
    list.forEach(({ name }, index) => {
      if (seen.has(name))
        ctx.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" is asked for twice`, params: { code: 'duplicate' } });
      seen.add(name);
    });
  });

/** A question that a run asks the people who run the shop (spec SF10). */
export const Prompt = z
  .object({
    id: Id,
    label: z.string(),
    fields: z.array(PromptField),
    answers: JsonObject.nullable(),
    created_at: Timestamp,
    answered_at: Timestamp.nullable(),
    answered_by: Id.nullable(),
  })
  .meta({ id: 'Prompt' });
export type Prompt = z.infer<typeof Prompt>;

/** A question that waits for an answer, in the list of all tasks' questions. */
export const OpenPrompt = Prompt.extend({
  label: z.string().nullable(),
  task_id: Id,
  task_name: z.string(),
  run_id: Id.meta({ description: 'The run that asks; its path takes the answer' }),
  description: z.string().nullable().meta({ description: 'What the run is about, as its script has said' }),
  dry_run: z.boolean(),
  asked_at: Timestamp.meta({ description: 'The time from which the question waits; a resumed run begins to ask anew' }),
  withheld: z.array(z.string()).meta({
    description: 'Read permissions that the run had and the caller lacks. If there are any, label, fields and description are left out',
  }),
}).meta({ id: 'OpenPrompt' });
export type OpenPrompt = z.infer<typeof OpenPrompt>;

/** How long a question waits before its run is interrupted; a run that resumes it asks the question again. */
export const PROMPT_TIMEOUT_HOURS = 24;

export const promptsEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_prompts',
    method: 'GET',
    path: '/ai-tasks/{id}/runs/{run_id}/prompts',
    summary: 'List the questions that the run, and the runs that it was resumed from, asked; oldest first',
    permission: 'admin_api.ai_tasks.read',
    record: 'run',
    response: z.array(Prompt),
  },
  {
    id: 'ai_tasks.list_open_prompts',
    method: 'GET',
    path: '/prompts',
    summary: 'List the questions of all tasks that wait for an answer, those that wait longest first',
    permission: 'admin_api.ai_tasks.read',
    query: z.object({ limit: clamped(1, 500, 100) }),
    response: z.array(OpenPrompt),
  },
  {
    id: 'ai_tasks.answer_prompt',
    method: 'POST',
    path: '/ai-tasks/{id}/runs/{run_id}/prompts/{prompt_id}/answer',
    summary: 'Answer a question of a running run',
    permission: 'admin_api.ai_tasks.write',
    record: 'prompt',
    body: z.object({ answers: JsonObject }),
    response: Prompt,
    refusals: ['required', 'invalid_type', 'invalid_enum', 'invalid_value', 'too_long', 'already_answered', 'run_not_running'],
  },
  {
    id: 'runner.ask_prompt',
    method: 'POST',
    path: '/runner/runs/{run_id}/prompts',
    summary: 'Ask a question, or look for its answer; a repeat with the same key finds the same question',
    permission: 'admin_api.runner.write',
    taskPermission: 'prompt_input',
    ownRun: true,
    body: z.object({
      /** `<epoch>/<fingerprint>/<occurrence>`, the same form as the journal key of a call. */
      key: z.string().regex(/^\d{1,9}\/[0-9a-f]{64}\/\d{1,9}$/),
      label: text({ min: 1, max: 1000 }),
      fields: Fields,
    }),
    response: Prompt,
    audited: false,
    refusals: ['run_fenced', 'out_of_range'],
  },
);
