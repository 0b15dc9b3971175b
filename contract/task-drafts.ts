import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { SourceWarning } from './source-warning.ts';
import { SOURCE_BODY_LIMIT, TaskSource } from './tasks.ts';

/** Scripts before anything is stored of them. */

/** What TypeScript says about a place of a source. */
export const TypeFault = SourceWarning.extend({
  severity: z.enum(['error', 'warning']),
  needs: z.string().optional().meta({ description: 'The permission that the call there needs and the draft does not declare' }),
});
export type TypeFault = z.infer<typeof TypeFault>;

export const CheckedDraft = z
  .object({
    warnings: z.array(SourceWarning).meta({ description: 'The warnings with which the source would be saved' }),
    type_faults: z
      .array(TypeFault)
      .meta({ description: 'What the editor marks, with the types of exactly these permissions; 200 at most' }),
    unchecked: z.string().nullable().meta({ description: 'Why the types were not checked; null: they were' }),
    permissions_missing: z
      .array(z.string())
      .meta({ description: 'What its calls need and it does not declare; a call by path is not seen' }),
    permissions_unused: z
      .array(z.object({ permission: z.string(), enough: z.string().nullable() }))
      .meta({ description: 'What it declares and no call needs; `enough`: the narrower permission that its calls need instead' }),
  })
  .meta({ id: 'CheckedDraft' });
export type CheckedDraft = z.infer<typeof CheckedDraft>;

export const taskDraftsEndpoints = endpointsOf({
  id: 'ai_tasks.check_draft',
  method: 'POST',
  path: '/task-drafts/check',
  summary: 'Check a draft without running it: faults of its text and types, permissions missing and too many. Nothing is stored',
  permission: 'admin_api.ai_tasks.read',
  body: TaskSource,
  bodyLimitBytes: SOURCE_BODY_LIMIT,
  writes: false,
  response: CheckedDraft,
  refusals: ['unknown_permission', 'permission_not_grantable', 'busy'],
});
