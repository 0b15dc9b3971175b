import type { ReactNode } from 'react';
import './three-values.css';

type Row = {
  key: string;
  /** What the values are of, with what is said about it. */
  head: ReactNode;
  before: string;
  by: string;
  /** null: it is not told. */
  now: string | null;
};

type Props = {
  label: string;
  columns: Readonly<Record<'field' | 'before' | 'by' | 'now', string>>;
  rows: readonly Row[];
};

/** Fields with their values before a change, by it, and now: how what is taken back, and what stands in its way, is shown everywhere. */
export function ThreeValues({ label, columns, rows }: Props) {
  return (
    <table className="three-values" aria-label={label}>
      <thead>
        <tr>
          {[columns.field, columns.before, columns.by, columns.now].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, before, by, now }) => (
          <tr key={key}>
            <th scope="row">{head}</th>
            <td>{before}</td>
            <td>{by}</td>
            <td>{now === null ? null : <strong>{now}</strong>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
