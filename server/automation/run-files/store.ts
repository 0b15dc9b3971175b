import { z } from 'zod';
import { JsonObject } from '../../../contract/run-events.ts';
import { ParameterDeclaration } from '../../../contract/tasks.ts';
import type { Db } from '../../db/open.ts';

const Declarations = z.array(ParameterDeclaration);

/** The parameters of a run, and the parameter declarations of its version. */
export async function selectParameters(
  db: Db,
  runId: number,
): Promise<{ declarations: ParameterDeclaration[]; parameters: JsonObject } | null> {
  const row = await db
    .selectFrom('runs as r')
    .innerJoin('task_versions as v', 'v.id', 'r.version_id')
    .select(['r.parameters', 'v.parameters as declarations'])
    .where('r.id', '=', runId)
    .executeTakeFirst();
  if (!row) return null;
  return { declarations: Declarations.parse(JSON.parse(row.declarations)), parameters: JsonObject.parse(JSON.parse(row.parameters)) };
}
