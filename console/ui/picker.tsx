import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { text } from '../texts/app.ts';
import { described, Field, type Shared } from './field.tsx';
import './menu.css';

export type Choice = { id: number; name: string; note?: string };

export type ChoicesQuery = UseQueryOptions<Choice[], Error, Choice[], readonly unknown[]>;

/** The records of that name that match what is typed, as queries of features give them. */
export function choicesQuery(name: string, typed: string, read: () => Promise<Choice[]>): ChoicesQuery {
  return { queryKey: ['find', name, typed], queryFn: read };
}

type Props<C extends Choice, Key extends QueryKey> = Pick<Shared, 'label' | 'error' | 'pointer'> & {
  placeholder?: string;
  autoFocus?: boolean;
  /** The query of the records that match what is typed. */
  search(typed: string): UseQueryOptions<C[], Error, C[], Key>;
  onPick(choice: C): void;
  /** A picture before the name. */
  imageOf?(choice: C): ReactNode;
};

/** Finds one record by what is typed. The field is empty again after a choice, so that more can be picked. */
export function Picker<C extends Choice, Key extends QueryKey>({
  placeholder = text.picker.type,
  autoFocus = false,
  search,
  onPick,
  imageOf,
  ...shared
}: Props<C, Key>) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const found = useQuery(search(useDeferredValue(typed.trim())));
  return (
    <Field {...shared} id={id}>
      <ComboboxProvider
        value={typed}
        setValue={setTyped}
        setSelectedValue={(value) => {
          const choice = found.data?.find((one) => String(one.id) === value);
          if (!choice) return;
          setTyped('');
          onPick(choice);
        }}
        selectedValue=""
      >
        <Combobox className="input" autoSelect autoFocus={autoFocus} placeholder={placeholder} {...described(id, shared)} />
        <ComboboxPopover className="menu" gutter={4} sameWidth portal>
          {found.data?.map((choice) => (
            <ComboboxItem key={choice.id} className="menu-item" value={String(choice.id)} setValueOnClick={false}>
              <span className="menu-named">
                {imageOf?.(choice)}
                <span>{choice.name}</span>
              </span>
              {choice.note === undefined ? null : <span className="muted">{choice.note}</span>}
            </ComboboxItem>
          ))}
          {found.data?.length === 0 ? <p className="menu-label">{text.picker.nothing}</p> : null}
          {found.isPending ? <p className="menu-label">{text.app.loading}</p> : null}
        </ComboboxPopover>
      </ComboboxProvider>
    </Field>
  );
}
