import type { AssistantDraft } from '../../../../contract/assistant.ts';
import { declarationsIn, declarationsOf } from '../../../parts/declarations.ts';
import { defined } from '../../../parts/search.ts';
import { permissionsOf, type VersionDetail } from '../queries.ts';
import type { DraftValues } from './drafts.ts';

/** What a draft began from: a version, or the script that does nothing where there is no task yet (`id` and `version` 0). */
export type Base = { id: number; version: number; values: DraftValues };

export const NOTHING_YET: Base = {
  id: 0,
  version: 0,
  values: {
    source: `export default async function main() {
  log('Nothing is done yet.');
}
`,
    ...{ permissions: [], parameters: [], mail_to: [], http_allow: [], secrets: [], may_start: [] },
  },
};

/** What of a version its next author begins with. */
export function valuesOf(version: VersionDetail): DraftValues {
  const { mail_to, http_allow, secrets, may_start } = version;
  const declared = { permissions: permissionsOf(version), parameters: declarationsOf(version) };
  return { source: version.source_code, ...declared, mail_to, http_allow, secrets, may_start };
}

/** What the assistant has written; a parameter that is no declaration is left out. */
export function valuesIn({ source_code, parameters, ...declared }: AssistantDraft): DraftValues {
  return { ...declared, source: source_code, parameters: declarationsIn(parameters) };
}

/** What is written, as the assistant is sent it. */
export function draftOf(values: DraftValues): AssistantDraft {
  return { ...sourceOf(values), parameters: values.parameters.map((one) => ({ ...defined(one) })) };
}

/** What is written, as the server takes it; lines that are still empty are no entries. */
export function sourceOf({ source, permissions, parameters, mail_to, http_allow, secrets, may_start }: DraftValues) {
  return {
    source_code: source,
    permissions: [...permissions],
    parameters: [...parameters],
    mail_to: written(mail_to),
    http_allow: written(http_allow),
    secrets: written(secrets),
    may_start: [...may_start],
  };
}

function written(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}
