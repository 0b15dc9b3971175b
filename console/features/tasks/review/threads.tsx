import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CallOptions } from '../../../../contract/calls.ts';
import type { VersionComment } from '../../../../contract/version-comments.ts';
import { once } from '../../../api/client.ts';
import { useReload } from '../../../parts/reload.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { Moment } from '../../../parts/values.tsx';
import { reviewText } from '../../../texts/review.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { keysOf } from '../../../ui/keys.ts';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import type { LineNotes } from '../../../ui/source-diff.tsx';
import { answerComment, commentOn, resolveThread, type VersionDetail } from '../queries.ts';
import type { Thread } from './comments.ts';
import './threads.css';

const t = reviewText.comments;

type Props = { taskId: number; version: VersionDetail; threads: readonly Thread[]; mayWrite: boolean };

/** What is said about the lines of a version, beneath each of them, and the form for more. */
export function useLineNotes({ taskId, version, threads, mayWrite }: Props): LineNotes {
  // Several lines may be written about at once; what is written about one is not lost by beginning another.
  const [writing, setWriting] = useState<ReadonlyMap<number, string>>(new Map());
  const write = (line: number, text: string): void => setWriting((before) => new Map([...before, [line, text]]));
  const byLine = Map.groupBy(threads, ({ line }) => line);
  return {
    has: (line) => byLine.has(line) || writing.has(line),
    beneath(line) {
      const own = byLine.get(line) ?? [];
      const written = writing.get(line);
      if (own.length === 0 && written === undefined) return null;
      return (
        <section className="line-threads" aria-label={t.thread(line)}>
          {own.map((thread) => (
            <ThreadView key={thread.first.id} thread={thread} shown={version} mayWrite={mayWrite} />
          ))}
          {written === undefined ? null : (
            <CommentForm
              label={t.field(line)}
              act={t.send}
              text={written}
              setText={(text) => write(line, text)}
              send={(text, options) => commentOn(taskId, version.id, { line, text }, options)}
              close={() => setWriting((before) => new Map([...before].filter(([one]) => one !== line)))}
            />
          )}
        </section>
      );
    },
    ...(mayWrite
      ? {
          start: (line) =>
            setWriting((before) => new Map([...[...before].filter(([, text]) => text.trim() !== ''), [line, before.get(line) ?? '']])),
        }
      : {}),
  };
}

function ThreadView({ thread: { first, answers }, shown, mayWrite }: { thread: Thread; shown: VersionDetail; mayWrite: boolean }) {
  const [answer, setAnswer] = useState<string | null>(null);
  const reload = useReload();
  const isResolved = first.resolved_at !== null;
  const [isOpen, setOpen] = useState(false);
  const resolve = useMutation({
    mutationFn: () => resolveThread(first.task_id, first.id, !isResolved),
    onSuccess: () => setOpen(false),
    onSettled: () => reload('ai_tasks'),
  });
  if (isResolved && !isOpen) {
    return (
      <button type="button" className="thread-resolved" onClick={() => setOpen(true)}>
        {t.resolvedBy(first.resolved_by_name ?? reviewText.somebody)} · <MarkedText text={firstLine(first.text)} />
      </button>
    );
  }
  return (
    <article className="thread">
      <Comment
        comment={first}
        mark={first.version_id === shown.id ? null : <span className="tag need">{t.onVersion(first.version)}</span>}
      />
      {answers.map((one) => (
        <Comment key={one.id} comment={one} mark={null} />
      ))}
      {resolve.error ? <Problem error={resolve.error} /> : null}
      {answer !== null ? (
        <CommentForm
          label={t.answerField}
          act={t.answer}
          text={answer}
          setText={setAnswer}
          send={(text, options) => answerComment(first.task_id, first.id, text, options)}
          close={() => setAnswer(null)}
        />
      ) : mayWrite ? (
        <div className="acts">
          <Button onClick={() => setAnswer('')}>{t.answer}</Button>
          <Button kind="quiet" disabled={resolve.isPending} onClick={() => resolve.mutate()}>
            {isResolved ? t.reopen : t.resolve}
          </Button>
        </div>
      ) : null}
    </article>
  );
}

function Comment({ comment: { created_by_name, created_at, edited_at, text }, mark }: { comment: VersionComment; mark: ReactNode }) {
  return (
    <div className="comment">
      <p className="comment-head">
        <strong>
          <MarkedText text={created_by_name ?? reviewText.somebody} />
        </strong>{' '}
        <span className="muted">
          <Moment at={created_at} />
          {edited_at === null ? null : ` · ${t.edited}`}
        </span>{' '}
        {mark}
      </p>
      <p className="comment-text">
        <MarkedText text={text} />
      </p>
    </div>
  );
}

type FormProps = {
  label: string;
  act: string;
  text: string;
  setText(text: string): void;
  send(text: string, options: CallOptions): Promise<unknown>;
  close(): void;
};

/** While it is open, the key that decides on the version sends the comment instead; of several, the one that is written in. */
function CommentForm({ label, act, text, setText, send, close }: FormProps) {
  const key = useRetryKey();
  const reload = useReload();
  const write = useMutation({
    mutationFn: () => send(text, once(key.of(text))),
    async onSuccess() {
      key.spend();
      await reload('ai_tasks');
      close();
    },
  });
  const submit = (): void => {
    if (text.trim() !== '' && !write.isPending) write.mutate();
  };
  const keys: Record<string, () => void> = { 'mod+enter': submit, 'mod+s': submit, escape: close };
  useShortcuts(keys);
  return (
    <form
      className="comment-form"
      onKeyDown={({ nativeEvent }) => {
        const own = nativeEvent.isComposing ? undefined : keys[keysOf(nativeEvent) ?? ''];
        if (own === undefined) return;
        nativeEvent.preventDefault();
        own();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea label={label} rows={3} autoFocus value={text} onValue={setText} />
      {write.error ? <Problem error={write.error} /> : null}
      <div className="acts">
        <Button type="submit" kind="first" keys="mod+enter" disabled={text.trim() === '' || write.isPending}>
          {act}
        </Button>
        <Button keys="escape" onClick={close}>
          {t.cancel}
        </Button>
      </div>
    </form>
  );
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
