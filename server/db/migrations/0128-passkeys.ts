import type { Statement } from '../dialect.ts';
import { passkeys } from '../schema/passkeys.ts';

/** Passkeys, sessions of the console, and links by which somebody may make a passkey. */
export const statements: readonly Statement[] = [...passkeys, `ALTER TABLE one_time_links ADD COLUMN enrols INTEGER NOT NULL DEFAULT 0`];
