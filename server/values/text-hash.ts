import { hash } from 'node:crypto';

/** A line of a run's log as runners keep it of what was said before a wait (`Said` of contract/run-events.ts). */
export const textHash = (line: string): string => hash('sha256', line, 'base64url').slice(0, 8);
