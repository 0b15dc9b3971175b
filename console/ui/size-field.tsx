import { text } from '../texts/app.ts';
import { type NumberProps, ParsedField } from './field.tsx';

const UNIT = 1024;
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Bytes, typed with a unit: 5 GiB, 1.5 MB. */
export function SizeField(props: NumberProps) {
  return <ParsedField {...props} inputMode="text" format={sizeText} parse={sizeOf} refusal={text.form.noSize} />;
}

/** The size in the largest unit in which it is told exactly. */
function sizeText(bytes: number): string {
  const power = units.findLastIndex((_, at) => bytes >= UNIT ** at && Number.isInteger((bytes / UNIT ** at) * 100));
  return power < 0 ? String(bytes) : `${bytes / UNIT ** power} ${units[power]}`;
}

/** A number without its unit is no size, unless it is 0: nobody could tell what was meant. */
function sizeOf(typed: string): number | undefined {
  if (typed === '0') return 0;
  const [, amount = '', unit = ''] = /^(\d{1,15}(?:[.,]\d{1,3})?) ?(b|[kmgt]i?b?)$/i.exec(typed) ?? [];
  if (amount === '') return undefined;
  const power = 'bkmgt'.indexOf(unit.charAt(0).toLowerCase());
  return Math.round(Number(amount.replace(',', '.')) * UNIT ** power);
}
