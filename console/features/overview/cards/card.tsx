import type { ReactNode } from 'react';
import { overviewText } from '../../../texts/overview.ts';
import { Section } from '../../../ui/page.tsx';
import type { CardName } from './cards.tsx';

type Row = { key: string | number; name: ReactNode; note?: ReactNode; value?: ReactNode };

const SHOWN = 7;

/** The first of some records: a name that leads to each, what is said of it, and a value at the end. */
export function Card({ name, rows, none, all }: { name: CardName; rows: readonly Row[]; none: string; all?: ReactNode }) {
  return (
    <Section title={overviewText.cards.names[name]} act={rows.length === 0 ? undefined : all}>
      {rows.length === 0 ? <p className="muted">{none}</p> : null}
      <ul className="card-rows">
        {rows.slice(0, SHOWN).map(({ key, name: what, note, value }) => (
          <li key={key}>
            <span className="card-name">{what}</span>
            <span className="muted">{note}</span>
            <span className="card-value">{value}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
