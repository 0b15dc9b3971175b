import type { Statement } from '../dialect.ts';

/** How the console looks for each admin, as JSON. */
export const statements: readonly Statement[] = [`ALTER TABLE admins ADD COLUMN console TEXT`];
