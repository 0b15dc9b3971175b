import { dayText } from '../../language/formats.ts';
import { timelineText } from '../../texts/timeline.ts';

const t = timelineText.edits;
const names: Readonly<Record<string, string>> = t.names;

type MoneyText = (minor: number) => string;

/**
 * What an edit of an order changed, in the words and units of people: `#12 quantity 1→3; shipping 990→1490` (spec ED13). The total, which
 * is shown for itself, is left out; a part that is not known stays as the server says it.
 */
export function editWords(summary: string, money: MoneyText): string {
  if (summary === 'No changes') return t.nothing;
  return summary
    .split('; ')
    .filter((part) => !/^total \S+→\S+$/.test(part))
    .map((part) => partWords(part, money))
    .join(' · ');
}

function partWords(part: string, money: MoneyText): string {
  const [, line, of = '', from = '', to = ''] = /^#(\d+) (quantity|price|variant|removed|custom fields)(?: (.*)→(.*))?$/.exec(part) ?? [];
  if (line !== undefined) return lineWords(line, of, of === 'price' ? [amount(from, money), amount(to, money)] : [from, to]);
  const [, count, name = ''] = /^added (\d+) × (.+)$/.exec(part) ?? [];
  if (count !== undefined) return t.added(count, name);
  const [, field = part, before, after = ''] = /^(shipping|shipping method|discount|voucher|delivery date) (.*)→(.*)$/.exec(part) ?? [];
  const known = Object.hasOwn(names, field) ? names[field] : undefined;
  if (known === undefined) return part;
  if (before === undefined) return known;
  return t.change(known, valueWords(field, before, money), valueWords(field, after, money));
}

function lineWords(line: string, of: string, [from, to]: readonly [string, string]): string {
  if (of === 'removed') return t.removed(line);
  const name = names[of] ?? of;
  return from === '' && to === '' ? t.ofLine(line, name) : t.ofLine(line, t.change(name, from, to));
}

function valueWords(field: string, value: string, money: MoneyText): string {
  if (value === 'none') return t.none;
  if (field === 'shipping' || field === 'discount') return amount(value, money);
  return field === 'delivery date' ? dayText(value) : value;
}

const amount = (value: string, money: MoneyText): string => (/^\d{1,15}$/.test(value) ? money(Number(value)) : value);
