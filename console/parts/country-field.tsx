import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react';
import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react';
import { text } from '../texts/app.ts';
import { countriesIn, countryName, countryOf, foundCountries } from '../ui/countries.ts';
import { described, Field, type Shared, type Valued } from '../ui/field.tsx';
import '../ui/menu.css';
import { Picked } from '../ui/picked.tsx';
import { useShop } from './shop.ts';

const t = text.country;

type Props = Pick<Shared, 'label' | 'error' | 'hint' | 'pointer'>;

/**
 * The code of a country, found by its name or code. What is typed and is no country stays in the field, is refused there, and leaves the
 * value as it was.
 */
export function CountryField({ label, error, hint, pointer, value, onValue }: Props & Valued<string>) {
  const id = useId();
  const { typed, shown, countries, isTold, set, type, settle } = useTypedCountry(value, onValue);
  const [isOpen, setOpen] = useState(false);
  const found = typed === undefined ? countries : foundCountries(countries, typed);
  const shared = { label, error: isTold || found.length === 0 ? t.none(shown.trim()) : error, hint, pointer };
  return (
    <Field {...shared} id={id}>
      <ComboboxProvider
        open={isOpen && found.length > 0}
        setOpen={setOpen}
        value={shown}
        setValue={(next) => {
          type(next);
          if (next.trim() === '') setOpen(false);
        }}
        selectedValue=""
        setSelectedValue={(code) => {
          if (countries.some((one) => one.code === code)) set(code);
        }}
      >
        <Combobox
          className="input"
          autoSelect
          showOnChange={({ target }) => target instanceof HTMLInputElement && target.value.trim() !== ''}
          {...described(id, shared)}
          data-unread={typed === undefined ? undefined : true}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onBlur={({ relatedTarget }: FocusEvent) => {
            if (relatedTarget?.closest('[role="listbox"]')) return;
            // Words that appear while a button is pressed would move it away from under the pointer.
            settle(!(relatedTarget instanceof HTMLButtonElement));
          }}
          // Before keys such as Ctrl and S save.
          onKeyDown={({ key }: KeyboardEvent) => {
            if (key === 'Control' || key === 'Meta') settle(false);
          }}
          onInvalid={() => settle(true)}
        />
        <ComboboxPopover className="menu country-list" gutter={4} sameWidth fixed>
          {found.map(({ code, name }) => (
            <ComboboxItem key={code} className="menu-item" value={code} setValueOnClick={false}>
              <span>{name}</span>
              <span className="muted">{code}</span>
            </ComboboxItem>
          ))}
        </ComboboxPopover>
      </ComboboxProvider>
    </Field>
  );
}

/** `typed`: what is typed and not yet taken for a country. */
function useTypedCountry(value: string, onValue: (code: string) => void) {
  const { locale } = useShop();
  const countries = countriesIn([locale, ...navigator.languages]);
  const [typed, setTyped] = useState<string>();
  const [isTold, setTold] = useState(false);
  const [known, setKnown] = useState(value);
  const drop = (): void => {
    setTyped(undefined);
    setTold(false);
  };
  if (known !== value) {
    setKnown(value);
    drop();
  }
  function set(code: string): void {
    drop();
    if (code !== value) onValue(code);
  }
  return {
    typed,
    shown: typed ?? countryName(value) ?? value,
    countries,
    isTold,
    set,
    type(next: string): void {
      setTold(false);
      if (next.trim() === '') set('');
      else setTyped(next);
    },
    settle(isRefused: boolean): void {
      if (typed === undefined) return;
      const country = countryOf(countries, typed);
      if (country) set(country.code);
      else if (isRefused) setTold(true);
    },
  };
}

/** The codes of some countries. */
export function CountriesField({ label, error, hint, pointer, value, onValue }: Props & Valued<readonly string[]>) {
  return (
    <div className="picks">
      <CountryField
        label={label}
        error={error}
        hint={value.length === 0 ? hint : undefined}
        pointer={pointer}
        value=""
        onValue={(code) => {
          if (code !== '' && !value.includes(code)) onValue([...value, code]);
        }}
      />
      <Picked
        label={label}
        choices={value.map((code) => ({ id: code, name: countryName(code) ?? code }))}
        drop={(code) => onValue(value.filter((one) => one !== code))}
        dropAll={() => onValue([])}
      />
    </div>
  );
}
