import type { Statement } from '../dialect.ts';
import { roles } from '../schema/roles.ts';

/** Named roles of staff, with those that a new store has. */
export const statements: readonly Statement[] = [...roles, `ALTER TABLE admins ADD COLUMN role_id INTEGER REFERENCES roles (id)`];
