import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { withLineFeeds } from '../../../../contract/source-text.ts';
import { useMe } from '../../../parts/shop.ts';
import { type Draft, type DraftValues, dropDraft, keepDraft } from './drafts.ts';
import type { Base } from './version-values.ts';

const KEEP_AFTER_MS = 250;

/** `task`: 0 where there is none yet. */
type Options = { task: number; base: Base; start: DraftValues & Pick<Draft, 'thread'> };

/** What is being written, kept in this browser a moment after each change. */
export function useDraft({ task, base, start }: Options) {
  const { id: admin } = useMe();
  const [values, setValues] = useState<DraftValues>(() => pick(start));
  const [thread, setThread] = useState(start.thread);
  // In the editor, the step back from what was discarded is undone like any other.
  const discarded = useRef<{ source: string; thread: number } | null>(null);
  const isEdited = textOf(values) !== textOf(base.values);
  // The text that is kept already; null: this browser keeps none.
  const [kept, setKept] = useState<string | null>(isEdited ? textOf(start) : '');
  const place = { admin, task, base: base.id };
  const written = (by: number | undefined) => (by === undefined ? {} : { thread: by });
  const keep = useEffectEvent(async () => {
    try {
      if (isEdited) await keepDraft({ ...place, ...values, ...written(thread) });
      else await dropDraft(place);
      setKept(textOf(values));
    } catch {
      setKept(null);
    }
  });
  const text = textOf(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text is kept, and each on another version
  useEffect(() => {
    const timer = setTimeout(() => void keep(), KEEP_AFTER_MS);
    const now = (): void => void keep();
    // The page may be closed before the moment is over.
    addEventListener('pagehide', now);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', now);
    };
  }, [text, base.id]);

  return {
    values,
    isEdited,
    isKept: isEdited && kept === text,
    isLost: kept === null,
    /** The thread of the assistant that has written in it. */
    thread,
    change(part: Partial<DraftValues>): void {
      if (discarded.current && part.source === discarded.current.source) setThread(discarded.current.thread);
      setValues((before) => ({ ...before, ...part }));
    },
    /** Takes what the assistant has written in that thread. */
    take(by: number, next: DraftValues): void {
      setThread(by);
      setValues(pick(next));
    },
    /** Goes on from another version. */
    async rebase(next: number, joined: DraftValues): Promise<void> {
      setValues(pick(joined));
      await dropDraft(place).catch(() => undefined);
      await keepDraft({ ...place, base: next, ...pick(joined), ...written(thread) }).catch(() => undefined);
    },
    /** Back to the version as it is. */
    async discard(): Promise<void> {
      if (thread !== undefined) discarded.current = { source: withLineFeeds(values.source), thread };
      setValues(base.values);
      setThread(undefined);
      await dropDraft(place).catch(() => undefined);
    },
    /** The draft is no longer needed. */
    async drop(): Promise<void> {
      setThread(undefined);
      await dropDraft(place).catch(() => undefined);
    },
  };
}

function pick({ source, permissions, parameters, mail_to, http_allow, secrets, may_start }: DraftValues): DraftValues {
  return { source, permissions, parameters, mail_to, http_allow, secrets, may_start };
}

function textOf(values: DraftValues): string {
  return JSON.stringify(pick(values));
}
