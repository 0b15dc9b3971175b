import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, whoHolds } from '../api/client.ts';
import { session } from '../api/session.ts';
import { meQuery } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { TextField, Tick } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';

const t = text.signIn;

/** Asks for an access token. */
export function TokenForm({ onDone }: { onDone: (() => void) | undefined }) {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const [isShared, setShared] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isRefused = failure instanceof ApiError && failure.status === 401;
  const fieldError = failure === 'missing' ? t.missing : isRefused ? t.refused : undefined;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (token.trim() === '') return setFailure('missing');
    setBusy(true);
    try {
      queries.setQueryData(meQuery.queryKey, await whoHolds(token.trim()));
      session.signIn(token.trim(), isShared ? 'page' : 'tab');
      onDone?.();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {failure === null || fieldError !== undefined ? null : <Problem error={failure} />}
      <TextField
        label={t.token}
        hint={t.hint}
        type="password"
        autoComplete="current-password"
        autoFocus
        value={token}
        error={fieldError}
        onValue={(value) => {
          setToken(value);
          setFailure(null);
        }}
      />
      <Tick label={t.forget} checked={isShared} onValue={setShared} />
      <Button kind="first" type="submit" disabled={isBusy}>
        {t.submit}
      </Button>
    </form>
  );
}
