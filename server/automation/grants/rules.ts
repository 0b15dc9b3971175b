import { z } from 'zod';
import { declaredOf } from '../../../contract/declared.ts';
import type { Grants } from '../../../contract/grants.ts';

/** How grants are stored: each list is a column with JSON, in versions and in the decisions on them. */

const Texts = z.array(z.string());
const Ids = z.array(z.int());

export type GrantColumns = Record<keyof Grants, string>;

export function grantsIn({ mail_to, http_allow, secrets, may_start }: GrantColumns): Grants {
  return {
    mail_to: Texts.parse(JSON.parse(mail_to)),
    http_allow: Texts.parse(JSON.parse(http_allow)),
    secrets: Texts.parse(JSON.parse(secrets)),
    may_start: tasksIn(may_start),
  };
}

/** The tasks of the column `may_start`. */
export function tasksIn(may_start: string): number[] {
  return Ids.parse(JSON.parse(may_start));
}

export function grantColumnsOf({ mail_to, http_allow, secrets, may_start }: Grants): GrantColumns {
  return {
    mail_to: JSON.stringify(mail_to),
    http_allow: JSON.stringify(http_allow),
    secrets: JSON.stringify(secrets),
    may_start: JSON.stringify(may_start),
  };
}

/** Everything that a stored version declares, as one list of texts. */
export function declaredIn(row: GrantColumns & { permissions: string }): string[] {
  return declaredOf({ ...grantsIn(row), permissions: Texts.parse(JSON.parse(row.permissions)) });
}
