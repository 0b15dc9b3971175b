import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, whoHolds } from '../api/client.ts';
import { signIn } from '../api/sign-in.ts';
import { type Me, meQuery } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { TextField, Tick } from '../ui/field.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Problem } from '../ui/problem.tsx';
import { MISSING, useSubmit } from './use-submit.ts';

const t = text.signIn;

/** Asks for an access token. */
export function TokenForm({ onDone }: { onDone: (() => void) | undefined }) {
  const queries = useQueryClient();
  const [token, setToken] = useState('');
  const [isShared, setShared] = useState(false);
  const [other, setOther] = useState<Me | null>(null);
  /** Whom the page shows, where this form is over one. */
  const shown = queries.getQueryData(meQuery.queryKey);
  const { failure, isBusy, submit, forget } = useSubmit(async () => {
    if (token.trim() === '') return MISSING;
    const me = await whoHolds(token.trim());
    if (shown !== undefined && shown.id !== me.id && other?.id !== me.id) {
      setOther(me);
      return undefined;
    }
    queries.setQueryData(meQuery.queryKey, me);
    signIn({ token: token.trim(), tokenId: null, adminId: me.id, name: nameOf(me) }, isShared ? 'page' : 'tab');
    onDone?.();
    return undefined;
  });
  const isRefused = failure instanceof ApiError && failure.status === 401;
  const fieldError = failure === MISSING ? t.missing : isRefused ? t.refused : undefined;

  return (
    <form onSubmit={submit} noValidate>
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
          forget();
          setOther(null);
        }}
      />
      <Tick label={t.forget} checked={isShared} onValue={setShared} />
      {other === null || shown === undefined ? null : (
        <p role="alert">
          <MarkedText text={t.otherToken(nameOf(other), nameOf(shown))} />
        </p>
      )}
      <Button kind="first" type="submit" disabled={isBusy}>
        {other === null ? t.submit : <MarkedText text={t.goOnAs(nameOf(other))} />}
      </Button>
    </form>
  );
}

const nameOf = ({ name, email }: Me): string => name || email;
