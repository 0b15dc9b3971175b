import { countText } from '../language/formats.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { Button } from './button.tsx';
import './picked.css';

const t = runPartsText.fields;
/** A selection may have 10,000 records; this many are shown one by one. */
const SHOWN = 30;

type Props<I extends string | number> = {
  label: string;
  choices: readonly { id: I; name: string }[];
  drop(id: I): void;
  dropAll(): void;
};

/** What was picked, each with a button that takes it out again. */
export function Picked<I extends string | number>({ label, choices, drop, dropAll }: Props<I>) {
  if (choices.length === 0) return null;
  return (
    <ul className="picked" aria-label={t.chosen(label, countText(choices.length))}>
      {choices.slice(0, SHOWN).map(({ id, name }) => (
        <li key={id}>
          <button type="button" className="picked-one" onClick={() => drop(id)}>
            {name} <span aria-hidden="true">×</span>
            <span className="visually-hidden">{t.remove(name)}</span>
          </button>
        </li>
      ))}
      {choices.length > SHOWN ? <li className="muted">{t.more(countText(choices.length - SHOWN))}</li> : null}
      {choices.length > 1 ? (
        <li>
          <Button kind="quiet" onClick={dropAll}>
            {t.removeAll}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}
