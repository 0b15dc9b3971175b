import type { Statement } from '../dialect.ts';

/** Tokens that are valid for one request. */
export const statements: readonly Statement[] = [`ALTER TABLE tokens ADD COLUMN single_use INTEGER NOT NULL DEFAULT 0`];
