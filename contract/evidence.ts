import { z } from 'zod';
import { Id } from './values.ts';

/** What a dry run showed of a version, as it was when the version was handed in. */
export const Evidence = z
  .object({
    run_id: Id,
    task_id: Id.meta({ description: 'The task that the dry run counts as one of; of a draft without a task, none that lists show' }),
    writes: z.int().meta({ description: 'How many changes the plan has' }),
    changes_by_kind: z.record(z.string(), z.int()).meta({ description: 'The changes by type of record' }),
    permissions_used: z.array(z.string()),
    hides_people: z.boolean().meta({ description: 'Whether personal data was hidden from the script' }),
    plan_digest: z.string().meta({ description: 'Of two plans with the same digest, all is the same but texts about people' }),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof Evidence>;
