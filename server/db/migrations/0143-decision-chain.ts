import type { Statement } from '../dialect.ts';

/** Each decision has a digest over itself and the one before it. */
export const statements: readonly Statement[] = [`ALTER TABLE decisions ADD COLUMN chain TEXT`];
