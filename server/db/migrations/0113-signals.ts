/** Signals for runs that wait for them. */
export { signals as statements } from '../schema/runs.ts';
