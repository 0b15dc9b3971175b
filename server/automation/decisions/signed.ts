import { createHash } from 'node:crypto';
import type { Grants } from '../../../contract/grants.ts';
import type { Row } from '../../db/tables.ts';
import { canonicalText } from '../../values/canonical.ts';
import { grantsIn } from '../grants/rules.ts';

/** What of versions and plans is signed. It is worked out from rows alone, so that `backroom verify approvals` works it out again. */

type Version = Pick<Row<'task_versions'>, 'id' | 'version' | 'source_sha256' | 'permissions' | 'parameters' | keyof Grants>;

export function signedVersion(version: Version) {
  return {
    id: version.id,
    number: version.version,
    source_sha256: version.source_sha256,
    permissions: JSON.parse(version.permissions),
    grants: grantsIn(version),
    parameters: JSON.parse(version.parameters),
  };
}

type Planned = Pick<Row<'planned_writes'>, 'position' | 'method' | 'path' | 'body' | 'is_outside' | 'status' | 'answer' | 'effects'>;

/** The digest of a plan: each write with its answer and its effects. */
export function planDigest(rows: readonly Planned[]): string {
  const hash = createHash('sha256');
  for (const { position, method, path, body, is_outside, status, answer, effects } of rows)
    hash.update(`${canonicalText([position, method, path, body, is_outside, status, answer, effects])}\n`);
  return hash.digest('hex');
}
