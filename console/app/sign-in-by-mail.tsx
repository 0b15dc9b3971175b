import { useState } from 'react';
import { ApiError, guestApi } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { TextField, Tick } from '../ui/field.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Problem } from '../ui/problem.tsx';
import { isKept, keepChoice } from './keep-choice.ts';
import { MISSING, useSubmit } from './use-submit.ts';

const t = text.signIn;

/** Asks for a link by mail. What is told afterwards is the same for every address. */
export function MailForm() {
  const [email, setEmail] = useState('');
  const [isKeeping, setKeeping] = useState(isKept());
  const [minutes, setMinutes] = useState<number | null>(null);
  const { failure, isBusy, submit, forget } = useSubmit(async () => {
    if (email.trim() === '') return MISSING;
    const { expires_in_minutes } = await guestApi.me.send_sign_in_link({ email: email.trim() });
    keepChoice.set(isKeeping ? 'yes' : null);
    setMinutes(expires_in_minutes);
    return undefined;
  });
  const isWrong = failure === MISSING || (failure instanceof ApiError && failure.status === 422);

  if (minutes !== null) {
    return (
      <>
        <p role="status">
          <MarkedText text={t.sent(email.trim(), minutes)} />
        </p>
        <Button onClick={() => setMinutes(null)}>{t.otherAddress}</Button>
      </>
    );
  }
  return (
    <form onSubmit={submit} noValidate>
      {failure === null || isWrong ? null : <Problem error={failure} />}
      <TextField
        label={t.email}
        type="email"
        autoComplete="email"
        autoFocus
        value={email}
        error={isWrong ? t.noEmail : undefined}
        onValue={(value) => {
          setEmail(value);
          forget();
        }}
      />
      <Tick label={t.keep} checked={isKeeping} onValue={setKeeping} />
      <Button kind="first" type="submit" disabled={isBusy}>
        {t.sendLink}
      </Button>
    </form>
  );
}
