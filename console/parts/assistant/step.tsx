import { useDeferredValue, useMemo, useState } from 'react';
import type { AssistantDraft } from '../../../contract/assistant.ts';
import { declaredOf } from '../../../contract/declared.ts';
import { diffLines } from '../../../contract/line-diff.ts';
import { assistantText } from '../../texts/assistant.ts';
import { permissionText } from '../../texts/permissions.ts';
import { Button } from '../../ui/button.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { SourceDiff } from '../../ui/source-diff.tsx';
import { draftOr, type ItemOf, isSameDraft, type Step } from './thread.ts';

const t = assistantText.step;

/** The draft that the page has, in which steps are taken back and put back. */
export type Editing = {
  draft: AssistantDraft;
  /** What the draft would be after a change from one draft to another, which it may have left behind. */
  stepped(draft: AssistantDraft, from: AssistantDraft, to: AssistantDraft): AssistantDraft;
  /** `thread`: where what is put in it was written. */
  put(draft: AssistantDraft, thread: number): void;
};

type StepProps = { item: ItemOf<'draft'>; thread: number; editing: Editing | undefined };

/** One change of the draft, as a line that opens, with the act that undoes it. */
export function DraftStep({ item, thread, editing }: StepProps) {
  const [isOpen, setOpen] = useState(item.by === 'assistant');
  const before = draftOr(item.before);
  const { after } = item;
  return (
    <div className="draft-step">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {item.by === 'assistant' ? t.byAssistant : t.byPerson} <span className="muted">{useSizes(before, after)}</span>
        </summary>
        {isOpen ? <Changes id={item.id} before={before} after={after} /> : null}
      </details>
      {editing && item.by === 'assistant' ? <Undo step={item} thread={thread} editing={editing} /> : null}
    </div>
  );
}

/** A step is in the draft where undoing it would change the draft, and out of it where doing it would. */
function Undo({ step, thread, editing: { draft, stepped, put } }: { step: Step; thread: number; editing: Editing }) {
  // While somebody writes, what can be undone may lag behind.
  const late = useDeferredValue(draft);
  const [before, after] = [useMemo(() => draftOr(step.before), [step]), step.after];
  const change = useMemo(() => {
    const ways = [
      { act: t.takeBack, from: after, to: before },
      { act: t.putBack, from: before, to: after },
    ];
    return ways.find(({ from, to }) => !isSameDraft(stepped(late, from, to), late));
  }, [late, stepped, before, after]);
  if (change) return <Button onClick={() => put(stepped(draft, change.from, change.to), thread)}>{change.act}</Button>;
  return <small className="muted">{t.builtUpon}</small>;
}

function Changes({ id, before, after }: { id: number } & Record<'before' | 'after', AssistantDraft>) {
  const { added, removed } = changedOf(before, after);
  return (
    <>
      {added.length + removed.length === 0 ? null : (
        <ul>
          {added.map((one) => (
            <li key={one}>
              + <MarkedText text={permissionText(one)} />
            </li>
          ))}
          {removed.map((one) => (
            <li key={one}>
              − <MarkedText text={permissionText(one)} />
            </li>
          ))}
        </ul>
      )}
      {before.source_code === after.source_code ? null : (
        <SourceDiff label={t.sourceOf(id)} before={before.source_code} after={after.source_code} />
      )}
      {isSameJson(before.parameters, after.parameters) ? null : (
        <SourceDiff label={t.parametersOf(id)} before={jsonOf(before.parameters)} after={jsonOf(after.parameters)} />
      )}
    </>
  );
}

/** How much is changed, in few words. */
function useSizes(before: AssistantDraft, after: AssistantDraft): string {
  return useMemo(() => {
    const lines = before.source_code === after.source_code ? [] : diffLines(before.source_code, after.source_code);
    const { added, removed } = changedOf(before, after);
    const [more, fewer] = (['+', '-'] as const).map((mark) => lines.filter((line) => line.mark === mark).length);
    return [
      ...(lines.length > 0 ? [t.lines(more ?? 0, fewer ?? 0)] : []),
      ...(added.length + removed.length > 0 ? [t.declared(added.length, removed.length)] : []),
      ...(isSameJson(before.parameters, after.parameters) ? [] : [t.parameters]),
    ].join(' · ');
  }, [before, after]);
}

function changedOf(before: AssistantDraft, after: AssistantDraft): Record<'added' | 'removed', string[]> {
  const [old, now] = [declaredOf(before), declaredOf(after)];
  return { added: now.filter((one) => !old.includes(one)), removed: old.filter((one) => !now.includes(one)) };
}

const jsonOf = (value: AssistantDraft['parameters']): string => (value.length === 0 ? '' : JSON.stringify(value, null, 2));
const isSameJson = (a: AssistantDraft['parameters'], b: AssistantDraft['parameters']): boolean => jsonOf(a) === jsonOf(b);
