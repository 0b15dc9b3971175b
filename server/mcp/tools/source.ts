import { z } from 'zod';
import { Grants } from '../../../contract/grants.ts';

/** An object whose values the API checks. */
export const FreeObject = z.record(z.string(), z.unknown());

/** What a script is handed in as. The API checks every value; these shapes only tell the agent what there is. */
export const Source = z.object({
  source_code: z.string().describe('TypeScript: export default async function main(parameters) { … }'),
  permissions: z.array(z.string()),
  parameters: z.array(FreeObject).default([]).describe('Declarations: {name, kind, label?, required?, default?}'),
  ...Object.fromEntries(Object.keys(Grants.shape).map((name) => [name, z.array(z.unknown()).optional()])),
});
