import type { ClientRequest } from '../../../contract/calls.ts';

/** What is decided is any JSON: it is read here without a schema, and what is not as expected is left to its own words. */

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** A request as another one names it, which asks what it would decide, or proposes it. */
export function writeOf({ method, path, body }: ClientRequest) {
  if (method === 'GET') throw new TypeError('a read decides nothing');
  return { method, path, body: typeof body === 'object' && body !== null ? { ...body } : null };
}
