import { text } from '../texts/app.ts';
import { TextField } from './field.tsx';

type Props = { label: string; value: string; onValue(value: string): void; error?: string | undefined; pointer?: string };

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The code of a country, with its name beneath. */
export function CountryField({ onValue, ...rest }: Props) {
  return (
    <TextField
      {...rest}
      hint={countryName(rest.value) ?? text.country.hint}
      maxLength={2}
      autoComplete="off"
      onValue={(value) => onValue(value.toUpperCase())}
    />
  );
}

export function countryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined;
}
