import { z } from 'zod';
import { Grants } from '../../../contract/grants.ts';

/** An object whose values the API checks. */
export const FreeObject = z.looseObject({});

/** What a script is handed in as. The API checks every value; these shapes only tell the agent what there is. */
export const Source = z.object({
  source_code: z.string().describe('TypeScript: export default async function main() { … parameters.name … }'),
  permissions: z.array(z.string()),
  parameters: z.array(z.unknown()).default([]).describe('Declarations: {name, kind, label?, required?, default?}'),
  ...Object.fromEntries(Object.keys(Grants.shape).map((name) => [name, z.array(z.unknown()).optional()])),
});

/** The same within another tool's input, told in words: a model has read it at `check`. */
export const Draft = FreeObject.describe('A script as check takes it').transform((draft) => ({ parameters: [], ...draft }));
