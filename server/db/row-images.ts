import { z } from 'zod';
import { policyOf } from './captured-tables.ts';
import { RowValues } from './queries/one-row.ts';
import type { RowChange } from './row-capture.ts';

/** How a write changed one row: of a row that stayed, the columns that changed; `told`: only that something was told (`captured-tables.ts`). */
const RowImage = z.object({
  table: z.string(),
  key: RowValues,
  before: RowValues.nullable(),
  after: RowValues.nullable(),
  told: z.boolean().optional(),
});
export type RowImage = z.infer<typeof RowImage>;
const RowImages = z.array(RowImage);

/** More than this is not kept of one write. */
const BYTES_MAX = 16 * 1024 * 1024;

/** What is kept of these changes, as JSON; null: too much. */
export function imagesOf(changes: readonly RowChange[]): string | null {
  return imagesText(rowImages(changes));
}

export const rowImages = (changes: readonly RowChange[]): RowImage[] => changes.flatMap(imageOf);

export function imagesText(images: readonly RowImage[]): string | null {
  const text = JSON.stringify(images);
  return Buffer.byteLength(text) > BYTES_MAX ? null : text;
}

export function readImages(text: string): RowImage[] {
  return RowImages.parse(JSON.parse(text));
}

function isOwnMark(table: string, column: string): boolean {
  const { marks, derived } = policyOf(table);
  return marks.includes(column) || derived.includes(column);
}

function imageOf({ table, key, before, after }: RowChange): RowImage[] {
  if (policyOf(table).told) return before === null ? [{ table, key, before: null, after: null, told: true }] : [];
  if (before === null || after === null) return [{ table, key, before, after }];
  if (Object.keys(after).every((name) => before[name] === after[name])) return [];
  // A row whose marks alone have changed is kept without columns.
  const changed = Object.keys(after).filter((name) => before[name] !== after[name] && !isOwnMark(table, name));
  const only = (row: RowValues) => Object.fromEntries(changed.map((name) => [name, row[name] ?? null]));
  return [{ table, key, before: only(before), after: only(after) }];
}
