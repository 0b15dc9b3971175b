import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react';
import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react';
import { described, Field, type Shared, type Valued } from '../ui/field.tsx';
import '../ui/menu.css';
import { foundNamed, type Named, namedOf } from '../ui/named.ts';
import { Picked } from '../ui/picked.tsx';
import { useShop } from './shop.ts';

/** What can be chosen. `none`: what is said of a text that is none of them. */
export type NamedKind = {
  /** All, with the names in these languages. */
  listIn(languages: readonly string[]): readonly Named[];
  nameOf(code: string): string | undefined;
  /** What is none of the list, and is one all the same. */
  other?(typed: string): Named | undefined;
  none(typed: string): string;
};
type Props = Pick<Shared, 'label' | 'error' | 'hint' | 'pointer'> & { kind: NamedKind; disabled?: boolean | undefined };

/**
 * A code, found by a name or by itself. What is typed and is none stays in the field, is refused there, and leaves the value as it was.
 */
export function NamedField({ kind, label, error, hint, pointer, disabled, value, onValue }: Props & Valued<string>) {
  const id = useId();
  const { typed, shown, list, isTold, set, type, settle } = useTypedName(kind, value, onValue);
  const [isOpen, setOpen] = useState(false);
  const other = typed === undefined ? undefined : kind.other?.(typed);
  // To list and to show hundreds of names takes seconds, so that waits until somebody looks for one.
  const found = typed === undefined ? (isOpen ? list() : []) : other ? [other] : foundNamed(list(), typed);
  const shared = { label, error: isTold || (typed !== undefined && found.length === 0) ? kind.none(shown.trim()) : error, hint, pointer };
  return (
    <Field {...shared} id={id}>
      <ComboboxProvider
        open={isOpen && (typed === undefined || found.length > 0)}
        setOpen={setOpen}
        value={shown}
        setValue={(next) => {
          type(next);
          if (next.trim() === '') setOpen(false);
        }}
        selectedValue=""
        setSelectedValue={(code) => {
          if (found.some((one) => one.code === code)) set(code);
        }}
      >
        <Combobox
          className="input"
          disabled={disabled ?? false}
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
        <ComboboxPopover className="menu named-list" gutter={4} sameWidth fixed>
          {(isOpen ? found : []).map(({ code, name, note = code }) => (
            <ComboboxItem key={code} className="menu-item" value={code} setValueOnClick={false}>
              <span>{name}</span>
              <span className="muted">{note}</span>
            </ComboboxItem>
          ))}
        </ComboboxPopover>
      </ComboboxProvider>
    </Field>
  );
}

/** `typed`: what is typed and not yet taken for one of them. */
function useTypedName(kind: NamedKind, value: string, onValue: (code: string) => void) {
  const { locale } = useShop();
  const list = () => kind.listIn([locale, ...navigator.languages]);
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
    shown: typed ?? kind.nameOf(value) ?? value,
    list,
    isTold,
    set,
    type(next: string): void {
      setTold(false);
      if (next.trim() === '') set('');
      else setTyped(next);
    },
    settle(isRefused: boolean): void {
      if (typed === undefined) return;
      const one = kind.other?.(typed) ?? namedOf(list(), typed);
      if (one) set(one.code);
      else if (isRefused) setTold(true);
    },
  };
}

/** Some codes, each found as one is. */
export function NamedListField({ hint, value, onValue, ...props }: Props & Valued<readonly string[]>) {
  return (
    <div className="picks">
      <NamedField
        {...props}
        hint={value.length === 0 ? hint : undefined}
        value=""
        onValue={(code) => {
          if (code !== '' && !value.includes(code)) onValue([...value, code]);
        }}
      />
      <Picked
        label={props.label}
        choices={value.map((code) => ({ id: code, name: props.kind.nameOf(code) ?? code }))}
        drop={(code) => onValue(value.filter((one) => one !== code))}
        dropAll={() => onValue([])}
      />
    </div>
  );
}
