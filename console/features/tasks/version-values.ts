import { declarationsOf } from './declarations.ts';
import type { DraftValues } from './drafts.ts';
import { permissionsOf, type VersionDetail } from './queries.ts';

/** What of a version its next author begins with. */
export function valuesOf(version: VersionDetail): DraftValues {
  return { source: version.source_code, permissions: permissionsOf(version), parameters: declarationsOf(version) };
}
