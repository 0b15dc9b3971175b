import { lazy, Suspense, useEffect, useState } from 'react';
import { guestApi } from '../api/client.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Problem } from '../ui/problem.tsx';
import { Mark } from './mark.tsx';
import { TokenForm } from './sign-in-by-token.tsx';
import './sign-in.css';

const t = text.signIn;
const PasskeyForm = lazy(async () => ({ default: (await import('./sign-in-by-passkey.tsx')).PasskeyForm }));
const MailForm = lazy(async () => ({ default: (await import('./sign-in-by-mail.tsx')).MailForm }));

type Way = 'passkey' | 'mail' | 'token';
/** `passkeysAt`: null where nobody has a passkey. */
type Means = { sendsLinks: boolean; passkeysAt: string | null };

type Props = {
  /** Over the page of somebody whose token has just been refused. */
  again?: boolean;
  /** Why the form is shown, where another way to sign in has failed. */
  notice?: string | undefined;
  failed?: unknown;
  onDone?: () => void;
};

/** Signs in by passkey where somebody has one, by a link that is sent by mail where the shop sends any, or with an access token. */
export function SignIn({ again = false, notice, failed = null, onDone }: Props) {
  const [{ sendsLinks, passkeysAt }, setMeans] = useState<Means>({ sendsLinks: false, passkeysAt: null });
  useEffect(() => {
    // Not a query: all of those are dropped when somebody signs out. Without an answer there is the token.
    guestApi.me.sign_in_options().then(
      ({ sends_links, has_passkeys, passkeys_at }) => setMeans({ sendsLinks: sends_links, passkeysAt: has_passkeys ? passkeys_at : null }),
      () => undefined,
    );
  }, []);
  const [chosen, setChosen] = useState<Way | null>(null);
  const isHere = passkeysAt === window.location.origin;
  // A link opens a tab of its own; over a page that is to stay, it does not help.
  const way = chosen ?? (isHere ? 'passkey' : sendsLinks && !again ? 'mail' : 'token');
  const others: readonly [Way, boolean, string][] = [
    ['passkey', passkeysAt !== null, t.byPasskey],
    ['mail', sendsLinks, t.byMail],
    ['token', true, t.byToken],
  ];
  return (
    <main className="sign-in">
      <div className="sign-in-box">
        <Mark />
        <h1>{t.title}</h1>
        {again ? <p>{t.again}</p> : null}
        {notice === undefined ? null : (
          <p role="alert">
            <MarkedText text={notice} />
          </p>
        )}
        {failed === null ? null : <Problem error={failed} />}
        <Suspense fallback={null}>
          {way === 'token' ? (
            <TokenForm onDone={onDone} />
          ) : way === 'mail' ? (
            <MailForm />
          ) : (
            <PasskeyForm at={passkeysAt} onDone={onDone} />
          )}
        </Suspense>
        <div className="sign-in-ways">
          {others.map(([one, isOffered, words]) =>
            one === way || !isOffered ? null : (
              <Button key={one} kind="quiet" onClick={() => setChosen(one)}>
                {words}
              </Button>
            ),
          )}
        </div>
      </div>
    </main>
  );
}
