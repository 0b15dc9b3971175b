export type { ApiWithEach as Admin } from '../contract/each.ts';
