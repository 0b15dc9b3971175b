import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { HookCalled, HookGathered, HookResult, MAX_WAIT_SECONDS } from './hooks.ts';
import { Id } from './values.ts';

/** The address of a hook, which is outside the admin API: other systems call it, with any body. */
export function hookPaths(tag: string): ZodOpenApiPathsObject {
  const refusals = [400, 401, 404, 409, 413, 415, 429, 500, 503];
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  const headers = Object.fromEntries(
    ['X-Request-Id', 'API-Version', 'RateLimit', 'RateLimit-Policy', 'Location'].map((name) => [name, header(name)]),
  );
  const answer = (description: string, schema: z.ZodType) => ({ description, headers, content: { 'application/json': { schema } } });
  return {
    '/hooks/{hook_id}/{secret}': {
      post: {
        operationId: 'hooks.call',
        tags: [tag],
        summary: 'Start the task of a hook',
        description:
          'Start the task of a hook. No token is needed: the address is the secret, and a hook may ask for a signature too. Refusals: `hook_signature_invalid`, `concurrency_limit`, `run_not_opened`.',
        security: [],
        requestParams: {
          path: z.object({ hook_id: Id, secret: z.string().meta({ description: 'The secret part of the address' }) }),
          header: z.object({
            prefer: z
              .string()
              .optional()
              .meta({
                description: `\`wait=5\`: wait at most 5 s for the end of the run, if the hook waits; the most is ${MAX_WAIT_SECONDS}`,
              }),
          }),
        },
        requestBody: {
          required: false,
          content: { '*/*': { schema: z.string().meta({ description: 'JSON, a form, or text; at most 1 MiB' }) } },
        },
        responses: {
          200: answer('The run has ended, and the hook waits for that', HookResult),
          202: answer('The run is open, or the call is gathered; the same call again gets the same', z.union([HookCalled, HookGathered])),
          ...Object.fromEntries(refusals.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }])),
        },
      },
    },
  };
}
