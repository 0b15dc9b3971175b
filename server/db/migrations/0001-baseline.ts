/** The schema before all migrations that stand beside this one; a new store gets today's, with which it has what they bring. */
export { schema as statements } from '../schema/index.ts';
