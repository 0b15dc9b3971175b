import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import './toolbar.css';

const SEARCH_AFTER_MS = 250;

/** The row above a list: views, search, filters, and at its end what acts on the whole list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="toolbar">{children}</div>;
}

/** One of several views of the same list. */
export function ViewTab({ isOn, onClick, children }: { isOn: boolean; onClick(): void; children: ReactNode }) {
  return (
    <button type="button" className="view-tab" aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  );
}

type SearchProps = { field?: RefObject<HTMLInputElement | null>; label: string; value: string; set(value: string): void };

/** The list follows what is typed, a moment later; the field follows the address. */
export function SearchField({ field, label, value, set }: SearchProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const save = useEffectEvent(set);
  useEffect(() => {
    if (typed.trim() === known) return;
    const timer = setTimeout(() => save(typed.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, known]);
  return (
    <input
      ref={field}
      className="input search-field"
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

/** Filters that are used less often, behind a button; open while one of them is set. */
export function MoreFilters({ isSet, children }: { isSet: boolean; children: ReactNode }) {
  return (
    <details className="more-filters" open={isSet || undefined}>
      <summary className="button plain">{text.list.filters}</summary>
      <div className="filters">{children}</div>
    </details>
  );
}

type PagerProps = { cursor: string | undefined; next: string | null | undefined; go(cursor: string | undefined): void };

/** Lists are read forwards by cursor; one step leads back to the start. */
export function Pager({ cursor, next, go }: PagerProps) {
  if (cursor === undefined && !next) return null;
  return (
    <div className="pager">
      {cursor === undefined ? null : <Button onClick={() => go(undefined)}>{text.list.first}</Button>}
      {next ? <Button onClick={() => go(next)}>{text.list.next}</Button> : null}
    </div>
  );
}

/** Where the bar of the selected rows floats: at the end of the window, over the end of the list. It belongs behind the list. */
export function SelectionPlace({ children }: { children: ReactNode }) {
  return <div className="selection-place">{children}</div>;
}
