import type { Statement } from '../dialect.ts';
import { decisions } from '../schema/decisions.ts';

/** What admins decided, with what a passkey signed. */
export const statements: readonly Statement[] = decisions;
