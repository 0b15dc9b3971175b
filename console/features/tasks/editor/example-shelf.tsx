import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { editorText } from '../../../texts/editor.ts';
import { examplesText } from '../../../texts/examples.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { hasWords } from '../examples/has-words.ts';
import { PlanPicture } from '../examples/plan-picture.tsx';
import { type Example, type ExampleRow, exampleList, exampleOf } from '../queries.ts';
import './example-shelf.css';

const t = editorText.shelf;

type Props = {
  insert(text: string): void;
  /** Makes the draft what the example is. */
  replace(example: Example): void;
  isEdited: boolean;
};

/** The tasks that come with the program, to look at and take from while one writes. */
export function ExampleShelf(props: Props) {
  const list = useQuery(exampleList);
  const [words, setWords] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  if (open !== null) return <Shown name={open} close={() => setOpen(null)} {...props} />;
  return (
    <>
      <input
        className="input shelf-search"
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <Loaded query={list}>{(examples) => <Found examples={examples.filter((one) => hasWords(one, words))} setOpen={setOpen} />}</Loaded>
    </>
  );
}

function Found({ examples, setOpen }: { examples: readonly ExampleRow[]; setOpen(name: string): void }) {
  if (examples.length === 0) return <p className="muted">{t.none}</p>;
  return (
    <ul className="shelf">
      {examples.map(({ name, title, description, topic }) => (
        <li key={name}>
          <button type="button" onClick={() => setOpen(name)}>
            {title}
          </button>
          <small className="muted">{examplesText.topics[topic]}</small>
          <p>{description}</p>
        </li>
      ))}
    </ul>
  );
}

function Shown({ name, close, insert, replace, isEdited }: Props & { name: string; close(): void }) {
  const query = useQuery(exampleOf(name));
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={close}>
        ← {t.back}
      </Button>
      <Loaded query={query}>
        {(example) => (
          <article className="shelf-example">
            <h2>{example.title}</h2>
            <p>{example.description}</p>
            <div className="acts">
              <Button kind="first" onClick={() => (isEdited ? setAsking(true) : replace(example))}>
                {t.replace}
              </Button>
              <Button onClick={() => insert(example.source_code.trimEnd())}>{t.insert}</Button>
            </div>
            <p className="muted">{example.permissions.map((one) => permissionText(one)).join(' · ')}</p>
            <pre>{example.source_code}</pre>
            <details>
              <summary>{t.plan}</summary>
              <PlanPicture plan={example.plan} />
            </details>
            {isAsking ? (
              <Confirm
                title={t.replaceTitle}
                act={t.replace}
                onAct={() => {
                  setAsking(false);
                  replace(example);
                }}
                close={() => setAsking(false)}
              >
                <p>{t.replaceDetail}</p>
              </Confirm>
            ) : null}
          </article>
        )}
      </Loaded>
    </>
  );
}
