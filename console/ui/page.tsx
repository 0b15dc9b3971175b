import { Fragment, type ReactNode, useEffect } from 'react';
import { countText } from '../language/formats.ts';
import { text } from '../texts/app.ts';
import './page.css';

/** The head of a page: its name, one line about it, and its acts at the right. */
export function PageHead({ title, note, children }: { title: ReactNode; note?: ReactNode; children?: ReactNode }) {
  useEffect(() => {
    const name = document.querySelector('h1')?.textContent;
    document.title = name ? `${name} · Backroom` : 'Backroom';
  });
  return (
    <header className="page-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {note === undefined ? null : <p className="muted">{note}</p>}
      </div>
      {children === undefined ? null : <div className="acts">{children}</div>}
    </header>
  );
}

export function Section({ title, children, act }: { title: string; children: ReactNode; act?: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{title}</h2>
        {act}
      </div>
      {children}
    </section>
  );
}

/** Sections of a record side by side, as many columns as there is room for. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="columns">{children}</div>;
}

/** Names and values, one pair a row. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'number' ? countText(value) : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Shown after a moment, so that what is quick does not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number | undefined }) {
  return (
    <div className="skeleton" role="status" aria-label={text.app.loading}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity
        <span key={row} />
      ))}
    </div>
  );
}

/** Stands in a text for what is shown in its place: no text has it. */
const place = (at: number): string => `\uE000${at}\uE001`;

/** A whole text of which a part is more than letters, such as a time: the language decides where it stands. */
export function Sentence({ words, parts }: { words(...places: string[]): string; parts: readonly ReactNode[] }) {
  const shown = words(...parts.map((_, at) => place(at))).split(/\uE000(\d+)\uE001/);
  return shown.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no other name than their place
    <Fragment key={at}>{at % 2 === 0 ? piece : parts[Number(piece)]}</Fragment>
  ));
}
