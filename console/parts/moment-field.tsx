import { DateField } from '../ui/date-field.tsx';
import { useShop } from './shop.ts';

type Props = {
  label: string;
  value: string | null;
  onValue(value: string | null): void;
  error?: string | undefined;
  pointer?: string;
  /** null: the zone is told elsewhere. */
  hint?: string | null | undefined;
};

/** A time, chosen and shown in the shop's zone, kept in UTC. */
export function MomentField({ value, onValue, hint, ...rest }: Props) {
  const { timezone } = useShop();
  return (
    <DateField
      {...rest}
      hint={hint === null ? undefined : (hint ?? timezone)}
      hasTime
      value={value === null ? '' : localText(value, timezone)}
      onValue={(local) => onValue(local === '' ? null : instantOf(local, timezone))}
    />
  );
}

/** A time as the clock of that zone shows it: `2026-11-24T09:30`. */
export function localText(at: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(new Date(at)).replace(' ', 'T');
}

/** The time at which the clock of that zone shows it. Where it shows that time twice or never, one of the nearest. */
export function instantOf(local: string, timeZone: string): string {
  const wanted = Date.parse(`${local}Z`);
  const offsetAt = (ms: number): number => Date.parse(`${localText(new Date(ms).toISOString(), timeZone)}Z`) - ms;
  const first = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(first)).toISOString();
}
