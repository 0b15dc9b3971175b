import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { percentText } from '../language/formats.ts';
import { text } from '../texts/app.ts';
import { SelectField } from '../ui/field.tsx';
import { queryOf } from './queries.ts';
import { useMay } from './shop.ts';

const MINUTE_MS = 60_000;

const taxRates = queryOf('tax_rates.list', api.tax_rates.list, { staleTime: MINUTE_MS });

type Props = { label: string; value: number | null; onValue(value: number | null): void; error?: string | undefined };

/** The tax rate of a record; null is the shop's default. Who may not read the rates sees the id. */
export function TaxRateField({ label, value, onValue, error }: Props) {
  const may = useMay();
  const rates = useQuery({ ...taxRates({ per_page: 100 }), enabled: may('admin_api.tax_rates.read') });
  const known = rates.data?.data ?? [];
  const options: [string, string][] = known.map(({ id, name, rate_bps, country }) => [
    String(id),
    `${name}, ${percentText(rate_bps)}${country === null ? '' : `, ${country}`}`,
  ]);
  if (value !== null && !known.some(({ id }) => id === value)) options.push([String(value), String(value)]);
  return (
    <SelectField
      label={label}
      pointer="/tax_rate_id"
      error={error}
      value={value === null ? '' : String(value)}
      options={[['', text.taxRate.usual], ...options]}
      onValue={(id) => onValue(id === '' ? null : Number(id))}
    />
  );
}
