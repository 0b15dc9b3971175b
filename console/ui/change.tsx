import './change.css';
import { text } from '../texts/en/app.ts';

/** A value as it was and as it is: struck through, arrow, ink. The one way in which the console shows any change. */
export function Change({ before, after }: { before: unknown; after: unknown }) {
  return (
    <span className="change">
      <del>{valueText(before)}</del>
      <span aria-hidden="true"> → </span>
      <ins>{valueText(after)}</ins>
    </span>
  );
}

/** Any JSON value on one line. Nothing is shown as a word, so that it is not mistaken for an empty text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return text.change.nothing;
  if (typeof value === 'boolean') return value ? text.change.yes : text.change.no;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
