import type { ChangeType } from '../../contract/changes.ts';
import type { AuditEntry, Ctx } from './context.ts';

type Changes = AuditEntry['changes'];

/** `T`, where a field that `Known` does not have is no value: a field of a body that nothing stores does not compile. */
export type OnlyOf<T, Known> = T & { [Key in Exclude<keyof T, keyof Known>]: never };

/** The fields whose wanted value differs from the present one, with both values. Values are compared as JSON. */
export function changesBetween<Before extends object, Wanted extends object>(before: Before, wanted: OnlyOf<Wanted, Before>): Changes {
  const known = new Map<string, unknown>(Object.entries(before));
  const differing = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && JSON.stringify(known.get(field)) !== JSON.stringify(value),
  );
  return Object.fromEntries(differing.map(([field, value]) => [field, [known.get(field), value]]));
}

/** The fields that a PATCH sent. */
export function given<T extends object>(patch: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const sent: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  for (const key in patch) {
    const value = patch[key];
    if (isGiven(value)) sent[key] = value;
  }
  return sent;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

type Noted = Pick<Ctx, 'audit'>;

/**
 * Audit entries for records that are created, changed or deleted as a whole; `type` is for example `tax_rate`, `customerId` is as in
 * `AuditEntry`.
 */
export function noteCreated<T extends { id: number }>(
  ctx: Noted,
  type: ChangeType,
  { id, ...values }: T,
  name: string,
  customerId: number | null = null,
): void {
  const changes = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, [null, value] as [unknown, unknown]]));
  ctx.audit({ resource: { type, id }, customerId, changes, summary: `${inWords(type)} ${id} "${name}" created` });
}

export function noteChanged(ctx: Noted, type: ChangeType, id: number, changes: Changes, customerId: number | null = null): void {
  const parts = Object.entries(changes).map(([field, [before, after]]) => `${field} ${shown(before)} → ${shown(after)}`);
  ctx.audit({ resource: { type, id }, customerId, changes, summary: `${inWords(type)} ${id}: ${parts.join(', ') || 'no change'}` });
}

export function noteDeleted<T extends { id: number }>(
  ctx: Noted,
  type: ChangeType,
  { id, ...values }: T,
  name: string,
  customerId: number | null = null,
): void {
  const changes = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, [value, null] as [unknown, unknown]]));
  ctx.audit({ resource: { type, id }, customerId, changes, summary: `${inWords(type)} ${id} "${name}" deleted` });
}

function inWords(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ');
}

const SHOWN_MAX = 60;

function shown(value: unknown): string {
  const text = typeof value === 'object' ? (value === null ? 'none' : JSON.stringify(value)) : String(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
