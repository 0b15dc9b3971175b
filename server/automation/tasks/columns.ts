import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Grants } from '../../../contract/grants.ts';
import type { TaskSource } from '../../../contract/tasks.ts';
import type { OnlyOf } from '../../verbs/changes.ts';
import { grantColumnsOf } from '../grants/rules.ts';

export type Source = z.infer<typeof TaskSource>;

/** The columns of what a version or draft executes and may do. */
export function columnsOf({ source_code, permissions, parameters, ...grants }: Source) {
  grants satisfies OnlyOf<typeof grants, Grants>;
  return {
    source_code,
    source_sha256: createHash('sha256').update(source_code).digest('hex'),
    permissions: JSON.stringify(permissions),
    parameters: JSON.stringify(parameters),
    ...grantColumnsOf(grants),
  };
}
