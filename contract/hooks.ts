import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { Json, JsonObject } from './run-events.ts';
import { Gathered, StartOptions } from './start-options.ts';
import { Id, Name, REPEATED, Timestamp, text } from './values.ts';

/** Hooks: addresses that other systems call to start a task (spec HK1). */

export const MAX_HOOKS_OF_TASK = 20;
/** The time within which a call that is made again gets the run of the first one. */
export const REPEAT_HOURS = 24;
/** What a call is that is made again: the same one, or one more. */
export const hookRepeats = ['once', 'each'] as const;
export type HookRepeats = (typeof hookRepeats)[number];
/** A call that waits for the end of its run waits at most this long. */
export const MAX_WAIT_SECONDS = 25;

const headerName = () =>
  z
    .string()
    .refine((value) => /^[A-Za-z0-9-]{1,64}$/.test(value), {
      message: 'must be the name of a header: 1 to 64 of A-Z, a-z, 0-9 and -',
      params: { code: 'invalid_value' },
    })
    .meta({ minLength: 1, maxLength: 64 });

export const hookPresets = ['github', 'stripe', 'shopify', 'custom'] as const;
export type HookPreset = (typeof hookPresets)[number];
export const hookAlgorithms = ['sha256', 'sha512'] as const;
export const hookEncodings = ['hex', 'base64'] as const;

const signatureFields = {
  preset: z.enum(hookPresets),
  header: headerName().meta({ description: 'The header that carries the signature' }),
  algorithm: z.enum(hookAlgorithms),
  encoding: z.enum(hookEncodings),
  prefix: text({ max: 32 }).meta({ description: 'What stands before the signature in the header, such as `sha256=`' }),
  tolerance_seconds: z.int().min(1).max(86_400).nullable().meta({
    description: 'How far the signed time may be from the time of the server; null: the signature of this preset has no time',
  }),
};

/** How the signature over the bytes of a call's body is checked. */
export const HookSignature = z.object(signatureFields).meta({ id: 'HookSignature' });
export type HookSignature = z.infer<typeof HookSignature>;

/** Only `custom` takes other fields than `secret`, and only `stripe` takes `tolerance_seconds`: the rest is fixed by the preset. */
const SignatureInput = z
  .object({
    ...z.object(signatureFields).partial().shape,
    preset: signatureFields.preset,
    secret: text({ min: 1, max: 500 })
      .optional()
      .meta({ description: 'The secret that the sender signs with; it is never returned. Left out in a change: it stays' }),
  })
  .meta({ id: 'HookSignatureInput' });
export type SignatureInput = z.infer<typeof SignatureInput>;

export const Hook = z
  .object({
    id: Id,
    task_id: Id,
    name: z.string(),
    enabled: z.boolean(),
    parameter: z.string().nullable().meta({ description: 'The parameter that gets what was sent: `{headers, query, body}`; null: none' }),
    parameters: JsonObject,
    verify: HookSignature.nullable().meta({ description: 'null: the address alone admits a call' }),
    idempotency_header: z.string().nullable().meta({
      description: 'The header by which a repeated call is known; null, or if a call has no such header: its body, if it is signed',
    }),
    repeats: z.enum(hookRepeats).meta({
      description: `once: for ${REPEAT_HOURS} hours, a repeated call gets the run of the first one; each: every call opens a run`,
    }),
    raw_body: z.boolean().meta({
      description:
        'Whether the parameter also gets the text of the body, as `raw_body`. Whole numbers in a JSON body that a script cannot hold then come as text instead of being refused',
    }),
    wait: z.boolean().meta({ description: `Whether a call waits up to ${MAX_WAIT_SECONDS} s for the end of its run and gets its result` }),
    rate_per_minute: z.int().meta({ description: 'How many calls are taken in a minute; the `rate` of `start` says how many runs open' }),
    start: StartOptions,
    gathered: Gathered,
    last_error: z.string().nullable().meta({ description: 'Why the last call started no run, if an admin has to mend that; else null' }),
    created_by: Id,
    acts_for: Id.meta({ description: 'The admin for whom its runs act: the one who created or last changed the hook' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Hook' });
export type Hook = z.infer<typeof Hook>;

const WithAddress = Hook.extend({
  url_path: z
    .string()
    .nullable()
    .meta({ description: `The path of its address at this server, with its secret part; shown once, and ${REPEATED}` }),
}).meta({ id: 'NewHook' });

const fields = {
  name: Name,
  enabled: z.boolean(),
  parameter: text({ min: 1, max: 64 }).nullable(),
  parameters: JsonObject,
  verify: SignatureInput.nullable(),
  idempotency_header: headerName().nullable(),
  repeats: z.enum(hookRepeats),
  raw_body: z.boolean(),
  wait: z.boolean(),
  rate_per_minute: z.int().min(1).max(6000),
  start: StartOptions,
};

/** What a call of a hook is answered: 202 with the run, or with the start that it has joined, or 200 with the run's result too. */
export const HookCalled = z.object({ run_id: Id }).meta({ id: 'HookCalled' });
export const HookGathered = z
  .object({ run_id: z.null(), gathered: z.literal(true), start_id: Id, due_at: Timestamp.nullable() })
  .meta({ id: 'HookGathered', description: '`due_at` null: others wait before it for their turn' });
export const HookResult = z.object({ run_id: Id, status: z.string(), result: Json }).meta({ id: 'HookResult' });
export type HookAnswer = z.infer<typeof HookCalled> | z.infer<typeof HookGathered> | z.infer<typeof HookResult>;

const read = 'admin_api.ai_tasks.read';
const write = 'admin_api.ai_tasks.write';

export const hooksEndpoints = endpointsOf(
  {
    id: 'ai_tasks.list_hooks',
    method: 'GET',
    path: '/ai-tasks/{id}/hooks',
    summary: 'List the hooks of a task, without their addresses',
    permission: read,
    record: 'task',
    response: z.array(Hook),
  },
  {
    id: 'ai_tasks.create_hook',
    method: 'POST',
    path: '/ai-tasks/{id}/hooks',
    summary: 'Create a hook: another system starts the task by calling an address, which is shown once',
    permission: write,
    record: 'task',
    body: z.object({
      name: fields.name,
      enabled: fields.enabled.default(true),
      parameter: fields.parameter.default(null),
      parameters: fields.parameters.default({}),
      verify: fields.verify.default(null),
      idempotency_header: fields.idempotency_header.default(null),
      repeats: fields.repeats.optional().meta({ description: 'Default: once with an idempotency_header or a signature, else each' }),
      raw_body: fields.raw_body.default(false),
      wait: fields.wait.default(false),
      rate_per_minute: fields.rate_per_minute.default(60),
      start: fields.start.default({}),
    }),
    status: 201,
    response: WithAddress,
    secretFields: ['url_path'],
    location: '/ai-tasks/{task_id}/hooks/{id}',
    refusals: ['task_deleted', 'too_many'],
  },
  {
    id: 'ai_tasks.get_hook',
    method: 'GET',
    path: '/ai-tasks/{id}/hooks/{hook_id}',
    summary: 'Get a hook, without its address',
    permission: read,
    record: 'hook',
    response: Hook,
  },
  {
    id: 'ai_tasks.update_hook',
    method: 'PATCH',
    path: '/ai-tasks/{id}/hooks/{hook_id}',
    summary: 'Change a hook, or switch it on or off',
    permission: write,
    record: 'hook',
    body: z.object(fields).partial(),
    response: Hook,
    refusals: ['task_deleted'],
  },
  {
    id: 'ai_tasks.rotate_hook',
    method: 'POST',
    path: '/ai-tasks/{id}/hooks/{hook_id}/rotate',
    summary: 'Give a hook a new address, which is shown once; the old one stops working at once, and the hook acts for whoever asks',
    permission: write,
    record: 'hook',
    response: WithAddress,
    secretFields: ['url_path'],
    refusals: ['task_deleted'],
  },
  {
    id: 'ai_tasks.delete_hook',
    method: 'DELETE',
    path: '/ai-tasks/{id}/hooks/{hook_id}',
    summary: 'Remove a hook; its address stops working at once, and its runs are kept',
    permission: write,
    record: 'hook',
    status: 204,
  },
);
