import { openWaits } from '../schema/runs.ts';

/** A wait of a run finds the open ones before it without those that have ended. */
export const statements = [openWaits];
