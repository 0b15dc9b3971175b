import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, guestApi } from '../api/client.ts';
import { Stopped, signInByPasskey } from '../api/passkeys.ts';
import { signIn } from '../api/sign-in.ts';
import { meQuery } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { passkeysText as t } from '../texts/passkeys.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Problem } from '../ui/problem.tsx';
import { deviceName } from './device.ts';
import { signInCode } from './sign-in-code.ts';
import { useSubmit } from './use-submit.ts';

/** Signs in by a passkey, or takes a recovery code from somebody who has lost theirs. `at`: where passkeys work. */
export function PasskeyForm({ at, onDone }: { at: string | null; onDone: (() => void) | undefined }) {
  const queries = useQueryClient();
  const [isLost, setLost] = useState(false);
  const { failure, isBusy, submit } = useSubmit(async () => {
    const next = await signInByPasskey(deviceName(navigator.userAgent));
    const shown = queries.getQueryData(meQuery.queryKey);
    if (shown !== undefined && shown.id !== next.adminId) queries.clear();
    signIn(next, 'device');
    onDone?.();
    return undefined;
  });
  if (at !== null && at !== window.location.origin) return <Elsewhere address={at} path="" />;
  if (isLost) return <RecoveryForm back={() => setLost(false)} />;

  return (
    <form onSubmit={submit} noValidate>
      <PasskeyProblem failure={failure} />
      <Button kind="first" type="submit" autoFocus disabled={isBusy}>
        {text.signIn.byPasskey}
      </Button>
      <Button kind="quiet" onClick={() => setLost(true)}>
        {t.lost}
      </Button>
    </form>
  );
}

/** What kept a passkey from being used or made, in words; a refusal is told as any other. */
export function PasskeyProblem({ failure }: { failure: unknown }) {
  if (failure === null) return null;
  const words =
    failure instanceof Stopped ? t.stopped : failure instanceof ApiError && failure.problem?.code === 'passkey_refused' ? t.refused : null;
  return words === null ? <Problem error={failure} /> : <p role="alert">{words}</p>;
}

/** Passkeys belong to the name of a website: another address leads there. */
export function Elsewhere({ address, path }: { address: string; path: string }) {
  return (
    <>
      <p>
        <MarkedText text={t.elsewhere(address)} />
      </p>
      <a className="button first" href={`${address}/${path}`}>
        {t.goThere}
      </a>
    </>
  );
}

function RecoveryForm({ back }: { back(): void }) {
  const [code, setCode] = useState('');
  const { failure, isBusy, submit, forget } = useSubmit(async () => {
    const next = await guestApi.passkeys.recover({ code });
    if (next.code !== null) signInCode.set({ kind: 'passkey', code: next.code });
    return undefined;
  });
  const isRefused = failure instanceof ApiError && failure.status === 422;

  return (
    <form onSubmit={submit} noValidate>
      {failure === null || isRefused ? null : <Problem error={failure} />}
      <TextField
        label={t.recoveryCode}
        hint={t.recoveryHint}
        autoComplete="off"
        autoFocus
        value={code}
        error={isRefused ? t.recoveryRefused : undefined}
        onValue={(typed) => {
          setCode(typed);
          forget();
        }}
      />
      <Button kind="first" type="submit" disabled={isBusy}>
        {t.recover}
      </Button>
      <Button kind="quiet" onClick={back}>
        {t.back}
      </Button>
    </form>
  );
}
