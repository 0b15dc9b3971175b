import type { Statement } from '../dialect.ts';
import { oauth } from '../schema/oauth.ts';

/** Agents that get access by OAuth. */

export const statements: readonly Statement[] = [`ALTER TABLE tokens ADD COLUMN oauth_client TEXT`, ...oauth];
