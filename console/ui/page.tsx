import { type ReactNode, useEffect } from 'react';
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
