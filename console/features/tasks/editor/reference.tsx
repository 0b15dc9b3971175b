import reference from 'virtual:script-reference';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ScriptReference } from '../../../editor/script-reference.ts';
import { editorText } from '../../../texts/editor.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import './reference.css';

const t = editorText.reference;
/** So many are shown of what was found: more are not read through. */
const SHOWN_MAX = 60;

type Entry = ScriptReference[number];
type Props = { permissions: readonly string[]; insert(text: string): void };

/** Everything that a script can call, found as one types; the arrow keys choose, and Enter inserts what is chosen. */
export function Reference({ permissions, insert }: Props) {
  const id = useId();
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => entriesWith(words), [words]);
  const shown = found.slice(0, SHOWN_MAX);
  const chosen = shown[at];
  useEffect(() => field.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is in sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, words]);
  function onKeyDown(event: KeyboardEvent): void {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined) setAt(Math.min(Math.max(next, 0), shown.length - 1));
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && chosen) insert(chosen.example);
    else return;
    event.preventDefault();
  }
  const isDeclared = (needs: string): boolean => permissions.includes(needs) || permissions.includes(needs.replace(/read$/, 'write'));
  return (
    <div className="reference">
      <div className="reference-search">
        <input
          ref={field}
          className="input"
          type="search"
          role="combobox"
          aria-label={t.search}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${at}` : undefined}
          placeholder={t.search}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <small className="muted" role="status">
          {found.length === 0 ? t.none : `${t.found(found.length)} · ${t.insertHint}`}
        </small>
      </div>
      <div ref={list} className="reference-list" id={`${id}-list`} role="listbox" aria-label={editorText.dock.tabs.reference}>
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
          <div
            key={entry.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => setAt(index)}
            onDoubleClick={() => insert(entry.example)}
          >
            <code>{entry.name}</code>
            <span className="reference-about">{firstSentence(entry.summary)}</span>
          </div>
        ))}
      </div>
      {chosen ? <Explained key={chosen.name} entry={chosen} isDeclared={isDeclared} insert={insert} /> : null}
    </div>
  );
}

type ExplainedProps = { entry: Entry; isDeclared(needs: string): boolean; insert(text: string): void };

function Explained({ entry: { name, needs, summary, signature, example }, isDeclared, insert }: ExplainedProps) {
  return (
    <section className="reference-entry" aria-label={name}>
      <div className="reference-head">
        <code>{name}</code>
        <Button onClick={() => insert(example)}>{t.insert}</Button>
      </div>
      <p>{summary}</p>
      <p className="muted">
        {needs === null ? t.needsNothing : editorText.needs(permissionText(needs))}{' '}
        {needs === null || isDeclared(needs) ? null : <span className="tag need">{t.notDeclared}</span>}
      </p>
      <pre>{signature}</pre>
      <pre className="reference-example">{example}</pre>
    </section>
  );
}

function firstSentence(text: string): string {
  return /^.*?[.;](?= |$)/.exec(text)?.[0].slice(0, -1) ?? text;
}

/** Those that have each word in their name, what they are for or need; those that have them in the name come first. */
function entriesWith(typed: string): Entry[] {
  const words = typed
    .toLowerCase()
    .split(/[\s._]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return reference;
  const found = reference.flatMap((entry) => {
    const name = entry.name.toLowerCase();
    const all = `${name} ${entry.summary} ${entry.needs === null ? '' : permissionText(entry.needs)}`.toLowerCase();
    const rank = words.every((word) => name.includes(word)) ? 0 : words.every((word) => all.includes(word)) ? 1 : 2;
    return rank === 2 ? [] : [{ entry, rank }];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}
