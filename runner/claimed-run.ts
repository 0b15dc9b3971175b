import { z } from 'zod';
import { Claim } from '../contract/runner.ts';
import { ParsedObject } from './parsed-json.ts';

export const ClaimsAnswer = z.object({
  claims: z.array(Claim.extend({ parameters: ParsedObject, checkpoint: ParsedObject.nullable() })),
});
export type ClaimedRun = z.infer<typeof ClaimsAnswer>['claims'][number];
