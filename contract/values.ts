import { z } from 'zod';

/** Schemas of single values, and the page form; the schemas of all resources use them. */

/** The id that a client may give its request; the id is also sent on to others as a header. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

export const Id = z.int().min(1).meta({ id: 'Id', description: 'Identifier of a record' });

/** Integer amount in minor currency units. */
export const Cents = z.int().meta({ description: 'Minor currency units' });

/** A price that a client may set: small enough that sums of prices stay exact. */
export const CentsInput = z.int().min(0).max(1_000_000_000_000).meta({ description: 'Minor currency units' });

/** Ends the description of a field that is shown once. */
export const REPEATED = 'null when a repeated request with the same Idempotency-Key gets the stored response';

/** Timestamps in responses have the form `YYYY-MM-DDTHH:mm:ss.sssZ` (spec G9). */
export const Timestamp = z.string().meta({ id: 'Timestamp', format: 'date-time', description: 'ISO 8601, UTC' });

const codePoints = (text: string): number => {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) count -= 1;
  }
  return count;
};

type TextOptions = { min?: number; max?: number; trim?: boolean };

/**
 * Text without U+0000; its length is counted in code points and limited to 255 by default (spec G19).
 * U+FFFD takes the place of a lone surrogate, as in both databases, so that a text equals what is stored of it.
 */
export function text({ min = 0, max = 255, trim = false }: TextOptions = {}) {
  const base = z.string().overwrite((value) => value.toWellFormed());
  return (trim ? base.trim() : base)
    .superRefine((value, ctx) => {
      const refuse = (code: string, message: string, limit = {}): void => {
        ctx.addIssue({ code: 'custom', message, params: { code, ...limit } });
      };
      if (value.includes('\u0000')) return refuse('invalid_value', 'must not contain U+0000');
      if (value.length > max && codePoints(value) > max) return refuse('too_long', `must have at most ${max} characters`, { max });
      if (min > 0 && value.length < min) refuse('blank', 'must not be empty');
    })
    .meta({ maxLength: max, ...(min > 0 ? { minLength: min } : {}) });
}

/** A name, label or title: trimmed, not empty. */
export const Name = text({ min: 1, trim: true });

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether `YYYY-MM-DD` names a day that exists. */
export function isRealDate(value: string): boolean {
  const match = DATE.exec(value);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

/** A calendar date `YYYY-MM-DD` that exists (spec G9). */
export const CalendarDate = z
  .string()
  .refine(isRealDate, { message: 'must be an existing date as YYYY-MM-DD', params: { code: 'invalid_date' } })
  .meta({ id: 'CalendarDate', format: 'date' });

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

function parseTimestamp(value: string): string | null {
  const match = TIMESTAMP.exec(value);
  if (!match || !isRealDate(match[1] ?? '')) return null;
  if (Number(match[2]) > 23 || Number(match[3]) > 59 || Number(match[4]) > 59) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** A timestamp in a request: RFC 3339 with `Z` or an offset; it is converted to UTC (spec G9). */
export const TimestampInput = z
  .string()
  .transform((value, ctx) => {
    const parsed = parseTimestamp(value);
    if (parsed !== null) return parsed;
    ctx.issues.push({
      code: 'custom',
      input: value,
      message: 'must be an existing RFC 3339 timestamp with Z or ±hh:mm',
      params: { code: 'invalid_timestamp' },
    });
    return z.NEVER;
  })
  .meta({ format: 'date-time' });

/** Money in major units as text, `"19.99"`: digits, then at most one point and digits (spec O1). */
export const DecimalAmount = z.string().refine((value) => /^\d{1,15}(?:\.\d+)?$/.test(value), {
  message: 'must be a decimal number such as 19.99',
  params: { code: 'invalid_value' },
});

/** Text to search for: trimmed, at most 200 characters (spec G21). */
export const Search = text({ max: 200, trim: true });

/** The query field `q`: words that must all stand somewhere in a record, in any order (spec O6). */
export function wordsIn(places: string) {
  return Search.optional().meta({
    description: `Words in any order, without regard to case and marks: each must stand in ${places}`,
  });
}

/** Place of a record in a list that the shop orders itself; lower numbers come first. */
export const SortOrder = z.int().min(-1_000_000_000).max(1_000_000_000);

/** A list without duplicates. */
export function listOf<T extends z.ZodType>(item: T, max: number, keyOf: (value: z.output<T>) => unknown = (value) => value) {
  return z
    .array(item)
    .max(max)
    .superRefine((list, ctx) => {
      const known = new Set<unknown>();
      list.forEach((value, index) => {
        const key = keyOf(value);
        if (known.has(key)) ctx.addIssue({ code: 'custom', path: [index], message: 'is listed twice', params: { code: 'duplicate' } });
        known.add(key);
      });
    });
}

/** A set of record ids, in the order of their first mention (spec AG12). */
export function idSet(max: number) {
  return z
    .array(Id)
    .max(max)
    .transform((ids) => [...new Set(ids)]);
}

/** An integer that is clamped to its range, not refused (spec R5). */
export function clamped(min: number, max: number, fallback: number) {
  return z
    .int()
    .transform((n) => Math.min(max, Math.max(min, n)))
    .default(fallback)
    .meta({ description: `Clamped to ${min}-${max}, default ${fallback}` });
}

/** Query fields of a paginated list (spec PG1). */
export const pageQuery = {
  page: z.int().min(1).default(1),
  per_page: z.int().min(1).max(100).default(20),
};

/** The page form `{data, page, per_page, total, total_pages}` (spec PG1). */
export function pageOf<T extends z.ZodType>(row: T) {
  return z.object({
    data: z.array(row),
    page: z.int(),
    per_page: z.int(),
    total: z.int(),
    total_pages: z.int(),
  });
}

/** Folds case but keeps accents: ß = SS, ς = σ, é ≠ e (spec G20). */
export function fold(value: string): string {
  return value.normalize('NFC').toUpperCase().normalize('NFC');
}
