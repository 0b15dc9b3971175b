import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { assistantText as t } from '../../texts/assistant.ts';
import { Button } from '../../ui/button.tsx';
import { PathLink } from '../../ui/path-link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { useReload } from '../reload.ts';
import { assistantStatus, beginThread, retryThread, sendMessage, stopThread } from './calls.ts';
import { Composer } from './composer.tsx';
import { Item } from './items.tsx';
import type { Editing } from './step.tsx';
import { type News, type Talk, useNews, useThread } from './thread.ts';
import { Threads } from './threads.tsx';
import './assistant.css';

export type AssistantProps = {
  taskId: number | null;
  /** A new thread is about this run. */
  runId?: number;
  /** null: a new one. */
  threadId: number | null;
  setThread(id: number | null): void;
  /** The last item of the thread that the page has taken already; undefined: all that it has when it is opened. */
  known?: number;
  /** What a new thread may be begun with. */
  firstMessage?: string;
  /** Left out where the page has no draft. */
  editing?: Editing;
  onNews?(news: News): void;
  close(): void;
};

/** A conversation with the assistant, beside what it is about. */
export function Assistant(props: AssistantProps) {
  const { taskId, threadId, setThread, known, editing, onNews, close } = props;
  const [made, setMade] = useState<number | null>(null);
  const [isListing, setListing] = useState(false);
  const talk = useThread(threadId);
  useNews(talk, threadId === made ? 0 : known, (news) => onNews?.(news));
  // In an editor Escape is the editor's own key.
  useShortcuts({ escape: () => document.activeElement?.shadowRoot || close() });
  const choose = (id: number | null): void => {
    setListing(false);
    setThread(id);
  };
  const marks = (
    <>
      <Button kind="quiet" aria-expanded={isListing} onClick={() => setListing(!isListing)}>
        {isListing ? t.threads.back : t.threads.show}
      </Button>
      {threadId === null ? null : (
        <Button kind="quiet" onClick={() => choose(null)}>
          {t.threads.fresh}
        </Button>
      )}
    </>
  );
  return (
    <Sheet title={t.title} marks={marks} close={close}>
      <div className="assistant">
        {isListing ? (
          <Threads taskId={taskId} open={threadId} choose={choose} />
        ) : (
          <>
            <Conversation talk={talk} editing={editing} isNew={threadId === null} />
            {editing || taskId === null || threadId === null ? null : (
              <p>
                <PathLink to={`/tasks/${taskId}/editor?thread=${threadId}`}>{t.why.toEditor}</PathLink>{' '}
                <small className="muted">{t.why.toEditorNote}</small>
              </p>
            )}
            <Foot
              {...props}
              talk={talk}
              onMade={(id) => {
                setMade(id);
                setThread(id);
              }}
            />
          </>
        )}
      </div>
    </Sheet>
  );
}

type ConversationProps = { talk: Talk; editing: Editing | undefined; isNew: boolean };

/** So far from its end, in pixels, the conversation counts as read to the end. */
const NEAR_END = 120;

function Conversation({ talk: { thread, items, stream }, editing, isNew }: ConversationProps) {
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const sheet = place.current?.closest('.sheet');
    if (!sheet) return;
    const look = (): void => {
      isAtEnd.current = sheet.scrollHeight - sheet.scrollTop - sheet.clientHeight < NEAR_END;
    };
    sheet.addEventListener('scroll', look);
    return () => sheet.removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    const sheet = place.current?.closest('.sheet');
    if (items.length > 0 && isAtEnd.current) sheet?.scrollTo({ top: sheet.scrollHeight });
  }, [items]);
  return (
    <>
      {isNew ? <p className="muted">{t.hint}</p> : null}
      {!isNew && thread === null && stream === 'ended' ? <p className="muted">{t.gone}</p> : null}
      {stream === 'lost' ? (
        <p className="muted" role="status">
          {t.lost}
        </p>
      ) : null}
      {/* Words that are still growing are read out once they are whole. */}
      <div className="talk" ref={place} role="log" aria-label={t.conversation} aria-busy={thread?.state === 'working'}>
        {thread === null ? null : items.map((item) => <Item key={item.id} item={item} thread={thread.id} editing={editing} />)}
      </div>
    </>
  );
}

type FootProps = AssistantProps & { talk: Talk; onMade(id: number): void };

/** How it goes on: what it cost, how to stop it or go on, and the next message. */
function Foot({ taskId, runId, threadId, firstMessage = '', editing, talk: { thread }, onMade }: FootProps) {
  const status = useQuery(assistantStatus);
  const reload = useReload();
  const [text, setText] = useState(firstMessage);
  const [seesPersonalData, setSees] = useState(false);
  const send = useMutation({
    mutationFn: async () => {
      const id = threadId ?? (await beginThread({ taskId, runId }, seesPersonalData));
      if (threadId === null) onMade(id);
      return sendMessage(id, text, editing?.draft);
    },
    onSuccess: () => setText(''),
    onSettled: () => reload('assistant'),
  });
  const stop = useMutation({ mutationFn: stopThread });
  const retry = useMutation({ mutationFn: retryThread });
  const isWorking = thread?.state === 'working';
  const failure = send.error ?? stop.error ?? retry.error;
  const missing = status.data?.missing ?? null;
  return (
    <div className="assistant-foot">
      {thread?.state === 'failed' ? (
        <p className="assistant-error">
          {t.failed} {thread.error}
        </p>
      ) : null}
      {failure ? <Problem error={failure} /> : null}
      <div className="assistant-state">
        <span role="status">{isWorking ? t.working : thread?.state === 'stopped' ? t.stopped : ''}</span>
        {thread === null ? null : <small className="muted">{t.tokens(thread.tokens_used, thread.tokens_max)}</small>}
        {isWorking ? (
          <Button disabled={stop.isPending} onClick={() => stop.mutate(thread.id)}>
            {t.stop}
          </Button>
        ) : null}
        {thread?.state === 'failed' || thread?.state === 'stopped' ? (
          <Button disabled={retry.isPending} onClick={() => retry.mutate(thread.id)}>
            {t.retry}
          </Button>
        ) : null}
      </div>
      {thread ? <small className="muted">{thread.sees_personal_data ? t.sees : t.hides}</small> : null}
      <Composer
        text={text}
        setText={setText}
        missing={missing}
        isHeld={isWorking || send.isPending || status.data?.configured === false}
        send={() => send.mutate()}
        personal={threadId === null ? { isOn: seesPersonalData, set: setSees } : null}
      />
    </div>
  );
}
