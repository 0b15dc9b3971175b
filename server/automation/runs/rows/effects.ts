import { z } from 'zod';
import { Json } from '../../../../contract/run-events.ts';
import type { RunEffect } from '../../../../contract/runs.ts';
import type { Row } from '../../../db/tables.ts';

const Changes = z.record(z.string(), z.tuple([Json, Json]));

export function effectOf(row: Row<'run_effects'>): RunEffect {
  return {
    call: row.id,
    method: row.method,
    path: row.path,
    status: row.status,
    resource: { type: row.resource_type, id: row.resource_id },
    changes: Changes.parse(JSON.parse(row.changes)),
    maybe_twice: row.maybe_twice === 1,
    at: row.at,
  };
}
