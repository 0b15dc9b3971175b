import type { Grants } from '../../../contract/grants.ts';
import type { Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';

/** What a script writes in a header or body where the value of a secret belongs. */
const PLACEHOLDER = /\{\{secret:([^{}]*)\}\}/g;

/** `isFilled`: the text has a secret in it now, so it may go to this host alone. */
export type Filled = { text: string; isFilled: boolean };

/** Puts the values of secrets into a header or body, just before it is sent to `url`. No value is known to any script. */
export async function fillSecrets(_ctx: Ctx, { secrets }: Pick<Grants, 'secrets'>, _url: string, text: string): Promise<Filled> {
  for (const [, name = ''] of text.matchAll(PLACEHOLDER)) {
    if (!secrets.includes(name)) {
      throw new Refusal('http_not_allowed', `The version does not declare the secret "${name}" in its list secrets.`);
    }
    throw new Refusal('http_not_allowed', `The shop has no secret "${name}".`);
  }
  return { text, isFilled: false };
}
