import './change.css';
import { text } from '../texts/app.ts';

/**
 * A value as it was and as it is: struck through, arrow, ink. The one way in which the console shows any change. Of two objects, only the
 * members that differ are shown; a value that was not there before has nothing to strike through.
 */
export function Change({ before, after }: { before: unknown; after: unknown }) {
  if (isObject(before) && isObject(after)) return <MemberChanges before={before} after={after} />;
  return (
    <span className="change">
      {before === null || before === undefined ? null : <del>{valueText(before)}</del>}
      <span aria-hidden="true"> → </span>
      <ins>{valueText(after)}</ins>
    </span>
  );
}

type Members = Record<string, unknown>;

function MemberChanges({ before, after }: { before: Members; after: Members }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return (
    <>
      {changed.map((name) => (
        <span key={name} className="member-change">
          <span className="muted">{name}</span> <Change before={before[name]} after={after[name]} />
        </span>
      ))}
    </>
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Any JSON value on one line. Nothing is shown as a word, so that it is not mistaken for an empty text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return text.change.nothing;
  if (typeof value === 'boolean') return value ? text.change.yes : text.change.no;
  if (Array.isArray(value)) return value.length === 0 ? text.change.nothing : value.map(valueText).join(', ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
