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
const MailForm = lazy(async () => ({ default: (await import('./sign-in-by-mail.tsx')).MailForm }));

type Props = {
  /** Over the page of somebody whose token has just been refused. */
  again?: boolean;
  /** Why the form is shown, where another way to sign in has failed. */
  notice?: string | undefined;
  failed?: unknown;
  onDone?: () => void;
};

/** Signs in by a link that is sent by mail, where the shop sends any, or with an access token. */
export function SignIn({ again = false, notice, failed = null, onDone }: Props) {
  const [sendsLinks, setSendsLinks] = useState(false);
  useEffect(() => {
    // Not a query: all of those are dropped when somebody signs out. Without an answer there is the token.
    guestApi.me.sign_in_options().then(
      ({ sends_links }) => setSendsLinks(sends_links),
      () => undefined,
    );
  }, []);
  const [chosen, setChosen] = useState<'mail' | 'token' | null>(null);
  // A link opens a tab of its own; over a page that is to stay, only a token helps.
  const way = chosen ?? (sendsLinks && !again ? 'mail' : 'token');
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
        {way === 'mail' ? (
          <Suspense fallback={null}>
            <MailForm />
          </Suspense>
        ) : (
          <TokenForm onDone={onDone} />
        )}
        {sendsLinks ? (
          <Button kind="quiet" onClick={() => setChosen(way === 'mail' ? 'token' : 'mail')}>
            {way === 'mail' ? t.byToken : t.byMail}
          </Button>
        ) : null}
      </div>
    </main>
  );
}
