import type { ReactNode } from 'react';
import { MarkedText } from '../../ui/marked-text.tsx';

/** The last column, with the acts of a row. Its head is for those who hear the page. */
export const actColumn = <Row,>(head: string, cell: (row: Row) => ReactNode) => ({
  name: 'act',
  head: <span className="visually-hidden">{head}</span>,
  cell,
});

/** A name, and what sets it apart from the others of the list. */
export function TaggedName({ name, tag }: { name: string; tag: string | null }) {
  return (
    <>
      <MarkedText text={name} /> {tag === null ? null : <span className="tag">{tag}</span>}
    </>
  );
}
