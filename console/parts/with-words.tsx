import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, once } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { TextArea } from '../ui/field.tsx';
import { useRetryKey } from './retry-key.ts';

type Props = {
  /** What it is about. */
  of: number;
  kind?: 'danger' | 'plain';
  act: string;
  /** As the act, where nothing else is said. */
  title?: string;
  detail: string;
  field: { label: string; hint?: string };
  send(words: string, options: ReturnType<typeof once>): Promise<unknown>;
  reload(): Promise<void>;
};

/** An act that asks first, and for the words that go with it: most are decisions against something, with the reason. */
export function WithWords({ of, kind = 'danger', act, title = nameOf(act), detail, field, send, reload }: Props) {
  const key = useRetryKey();
  const [isAsking, setAsking] = useState(false);
  const [words, setWords] = useState('');
  const decide = useMutation({
    mutationFn: () => send(words, once(key.of([of, words]))),
    onSuccess: () => {
      key.spend();
      setAsking(false);
    },
    onSettled: reload,
  });
  const wrong = fieldErrorOf(decide.error);
  return (
    <>
      <Button kind={kind} onClick={() => setAsking(true)}>
        {act}
      </Button>
      {isAsking ? (
        <Confirm
          title={title}
          act={nameOf(act)}
          isDanger={kind === 'danger'}
          isBusy={decide.isPending}
          error={wrong === undefined ? decide.error : undefined}
          onAct={() => decide.mutate()}
          close={() => setAsking(false)}
        >
          <p>{detail}</p>
          <TextArea {...field} autoFocus value={words} error={wrong} onValue={setWords} />
        </Confirm>
      ) : null}
    </>
  );
}

const nameOf = (act: string): string => act.replace(/ ?…$/, '');

function fieldErrorOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status === 422 ? error.errors[0]?.detail : undefined;
}
