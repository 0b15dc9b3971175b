import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { makePasskey } from '../api/passkeys.ts';
import { session } from '../api/session.ts';
import { signIn } from '../api/sign-in.ts';
import { RecoveryCodes } from '../parts/recovery-codes.tsx';
import { passkeysText as t } from '../texts/passkeys.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { deviceName } from './device.ts';
import { Mark } from './mark.tsx';
import { PasskeyProblem } from './sign-in-by-passkey.tsx';
import { passkeyCode, signInCode } from './sign-in-code.ts';
import { MISSING, useSubmit } from './use-submit.ts';
import './sign-in.css';

/** Makes a passkey by a code, and signs in with it. The first one comes with recovery codes. */
export function MakePasskey({ code }: { code: string }) {
  const queries = useQueryClient();
  const device = deviceName(navigator.userAgent);
  const [name, setName] = useState(device);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { failure, isBusy, submit } = useSubmit(async () => {
    if (name.trim() === '') return MISSING;
    const made = await makePasskey({ code, name: name.trim(), device });
    passkeyCode.current = null;
    queries.clear();
    signIn(made.signedIn, 'device');
    if (made.codes === null) signInCode.set(null);
    else setCodes(made.codes);
    return undefined;
  });
  const isTooOld = failure instanceof ApiError && failure.problem?.code === 'invalid_code';
  const isUnnamed = failure === MISSING;

  if (codes !== null) {
    return (
      <main className="sign-in join">
        <div className="sign-in-box">
          <Mark />
          <h1>{t.codes.title}</h1>
          <RecoveryCodes codes={codes} onKept={() => signInCode.set(null)} />
        </div>
      </main>
    );
  }
  return (
    <main className="sign-in join">
      <form onSubmit={submit} noValidate>
        <Mark />
        <h1>{t.setUp}</h1>
        <p>{t.why}</p>
        {isTooOld ? <p role="alert">{t.codeRefused}</p> : isUnnamed ? null : <PasskeyProblem failure={failure} />}
        <TextField label={t.name} hint={t.nameHint} value={name} error={isUnnamed ? t.nameMissing : undefined} onValue={setName} />
        <Button kind="first" type="submit" autoFocus disabled={isBusy}>
          {t.setUp}
        </Button>
        <Button kind="quiet" onClick={() => signInCode.set(null)}>
          {session.token() === null ? t.back : t.later}
        </Button>
      </form>
    </main>
  );
}
