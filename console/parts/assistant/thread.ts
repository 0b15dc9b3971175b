import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { AssistantConversation, AssistantDraft, AssistantItem } from '../../../contract/assistant.ts';
import { follow, type StreamState } from '../../api/events.ts';
import { session } from '../../api/session.ts';

export type ItemOf<Kind extends AssistantItem['kind']> = Extract<AssistantItem, { kind: Kind }>;
export type RunPlace = ItemOf<'evidence'>['dry_run'];
export type Step = Pick<ItemOf<'draft'>, 'before' | 'after'>;

export type Talk = {
  /** null: nothing has come yet. */
  thread: Omit<AssistantConversation, 'items'> | null;
  items: readonly AssistantItem[];
  stream: StreamState | 'connecting';
};
const nothing: Talk = { thread: null, items: [], stream: 'connecting' };

/** Follows a thread from its first item. */
export function useThread(id: number | null): Talk {
  const [talk, setTalk] = useState<Talk & { of: number | null }>({ ...nothing, of: null });
  // A token that is no longer accepted ends the stream; with another one it is read anew.
  const token = useSyncExternalStore(session.subscribe, session.token);
  useEffect(() => {
    if (id === null || token === null) return;
    const end = new AbortController();
    const items = new Map<number, AssistantItem>();
    void follow(`/assistant/threads/${id}/events`, {
      signal: end.signal,
      onMessage({ event, data }) {
        if (event === 'item') {
          const item: AssistantItem = JSON.parse(data);
          items.set(item.id, item);
        } else if (event === 'state') {
          // It comes after the items of the same change.
          const thread: AssistantConversation = JSON.parse(data);
          setTalk({ of: id, thread, items: [...items.values()].sort((a, b) => a.id - b.id), stream: 'open' });
        }
      },
      onState: (stream) => setTalk((before) => ({ ...(before.of === id ? before : nothing), of: id, stream })),
    });
    return () => end.abort();
  }, [id, token]);
  return talk.of === id ? talk : nothing;
}

/** What has come while the page looks: the steps of the draft, and the newest run. */
export type News = { thread: number; steps: readonly Step[]; run: RunPlace | undefined };

/**
 * Tells once of each step and run that the assistant makes. `known`: the last item that the page has taken already; undefined: all that
 * the thread has when it is opened.
 */
export function useNews({ thread, items }: Talk, known: number | undefined, onNews: (news: News) => void): void {
  const taken = useRef({ of: 0, upTo: 0, runs: new Set<number>() });
  const take = useEffectEvent((id: number, all: readonly AssistantItem[]): void => {
    const last = all.at(-1)?.id ?? 0;
    const runs = all.flatMap((item) => (item.kind === 'tool' && item.run ? [item.run] : []));
    if (taken.current.of !== id) {
      const old = known === undefined ? runs.map(({ run_id }) => run_id) : [];
      taken.current = { of: id, upTo: known ?? last, runs: new Set(old) };
    }
    const { upTo, runs: seen } = taken.current;
    const steps = all.filter((item) => item.kind === 'draft').filter((item) => item.by === 'assistant' && item.id > upTo);
    const run = runs.findLast(({ run_id }) => !seen.has(run_id));
    taken.current = { of: id, upTo: last, runs: new Set(runs.map(({ run_id }) => run_id)) };
    if (steps.length > 0 || run) onNews({ thread: id, steps, run });
  });
  const id = thread?.id;
  useEffect(() => {
    if (id !== undefined) take(id, items);
  }, [id, items]);
}

const EMPTY: AssistantDraft = {
  source_code: '',
  permissions: [],
  parameters: [],
  mail_to: [],
  http_allow: [],
  secrets: [],
  may_start: [],
};
export const draftOr = (draft: AssistantDraft | null): AssistantDraft => draft ?? EMPTY;

/** Whether two drafts say the same. */
export function isSameDraft(a: AssistantDraft, b: AssistantDraft): boolean {
  return textOf(a) === textOf(b);
}

function textOf({ source_code, permissions, parameters, mail_to, http_allow, secrets, may_start }: AssistantDraft): string {
  return JSON.stringify([source_code.replaceAll('\r\n', '\n'), permissions, parameters, mail_to, http_allow, secrets, may_start]);
}
