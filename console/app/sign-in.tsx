import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError, whoHolds } from '../api/client.ts';
import { session } from '../api/session.ts';
import { meQuery } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { TextField, Tick } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';
import { Mark } from './mark.tsx';
import './sign-in.css';

const t = text.signIn;

type Props = {
  /** Over the page of somebody whose token has just been refused. */
  again?: boolean;
  /** Why the form is shown, where another way to sign in has failed. */
  notice?: string | undefined;
  failed?: unknown;
  onDone?: () => void;
};

/** Asks for an access token. */
export function SignIn({ again, notice, failed = null, onDone }: Props) {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const [remember, setRemember] = useState(session.isRemembered());
  const [failure, setFailure] = useState<unknown>(failed);
  const [isBusy, setBusy] = useState(false);
  const isRefused = failure instanceof ApiError && failure.status === 401;
  const fieldError = failure === 'missing' ? t.missing : isRefused ? t.refused : undefined;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (token.trim() === '') return setFailure('missing');
    setBusy(true);
    try {
      queries.setQueryData(meQuery.queryKey, await whoHolds(token.trim()));
      session.signIn(token.trim(), remember);
      onDone?.();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Mark />
        <h1>{t.title}</h1>
        {again ? <p>{t.again}</p> : null}
        {notice === undefined ? null : <p role="alert">{notice}</p>}
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
        <Tick label={t.remember} checked={remember} onValue={setRemember} />
        <Button kind="first" type="submit" disabled={isBusy}>
          {t.submit}
        </Button>
      </form>
    </main>
  );
}
