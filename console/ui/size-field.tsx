import { useState } from 'react';
import { text } from '../texts/app.ts';
import { type NumberProps, ParsedField } from './field.tsx';

const UNIT = 1024;
const units = ['KB', 'MB', 'GB', 'TB'] as const;
type Unit = (typeof units)[number];
const bytesOf = (unit: Unit): number => UNIT ** (units.indexOf(unit) + 1);

/** Bytes, as a number and its unit. A unit that is typed behind the number is taken for one. */
export function SizeField({ value, ...props }: NumberProps) {
  const [unit, setUnit] = useState(() => unitOf(value ?? 0));

  /** Takes the unit out of the text, which the choice beside it then shows. */
  function tidy(typed: string): string {
    const [amount, meant] = partsOf(typed);
    if (meant) setUnit(meant);
    return meant ? amount : typed;
  }

  function parse(typed: string): number | undefined {
    const [amount, meant = unit] = partsOf(typed);
    return /^\d{1,9}([.,]\d{1,3})?$/.test(amount) ? Math.round(Number(amount.replace(',', '.')) * bytesOf(meant)) : undefined;
  }

  return (
    <ParsedField
      {...props}
      value={value}
      format={(bytes) => String(Math.round((bytes / bytesOf(unit)) * 100) / 100)}
      parse={parse}
      tidy={tidy}
      unit={
        <select
          className="input unit-choice"
          aria-label={`${props.label}: ${text.form.unit}`}
          value={unit}
          onChange={({ target }) => {
            const chosen = units.find((one) => one === target.value);
            if (!chosen) return;
            setUnit(chosen);
            if (value !== null) props.onValue(Math.round((value / bytesOf(unit)) * bytesOf(chosen)));
          }}
        >
          {units.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      }
    />
  );
}

/** `7.5 GB` is 7.5 and GB. */
function partsOf(typed: string): [amount: string, unit?: Unit] {
  const [, amount = typed, letter] = /^\s*([\d.,]+)\s*([kmgt])i?b\s*$/i.exec(typed) ?? [];
  const unit = letter && units.find((one) => one.startsWith(letter.toUpperCase()));
  return unit ? [amount, unit] : [amount];
}

/** The largest unit in which the size is told exactly. */
function unitOf(bytes: number): Unit {
  return units.findLast((one) => bytes >= bytesOf(one) && Number.isInteger((bytes / bytesOf(one)) * 100)) ?? 'MB';
}
