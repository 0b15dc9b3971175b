import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, endSession, guestApi, whoHolds } from '../api/client.ts';
import { session } from '../api/session.ts';
import { signIn } from '../api/sign-in.ts';
import { type Me, meQuery } from '../parts/shop.ts';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Skeleton } from '../ui/page.tsx';
import { deviceName } from './device.ts';
import { isKept } from './keep-choice.ts';
import { offerOf } from './passkey-offer.ts';
import { SignIn } from './sign-in.tsx';
import { type LinkCode, signInCode } from './sign-in-code.ts';
import './sign-in.css';

const t = text.signIn;

type Redeemed = { token: string; tokenId: number; me: Me; next: LinkCode | null };

/** The answer to a code is asked for once, although React runs effects twice while developing. */
const asked = new Map<string, Promise<Redeemed>>();

async function redeemed(code: string): Promise<Redeemed> {
  const wanted = { code, keep_signed_in: isKept(), device: deviceName(navigator.userAgent) };
  const { token, token_id: tokenId, passkey_code } = await guestApi.me.redeem_sign_in_link(wanted);
  if (token === null) throw new Error('the link was used already');
  try {
    return { token, tokenId, me: await whoHolds(token), next: await offerOf(passkey_code, token) };
  } catch (error) {
    endSession({ token, tokenId });
    throw error;
  }
}

/** Who is signed in already; null: nobody, or with a token that is not accepted any more. */
async function whoIsHere(): Promise<Me | null> {
  const token = session.token();
  if (token === null) return null;
  try {
    return await whoHolds(token);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Signs in with the code of a link. A link that was used or is too old leads to the usual form. Anybody can send a link, so one of another
 * person takes the place of whoever is signed in only when that person says so.
 */
export function SignInByLink({ code }: { code: string }) {
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const [choice, setChoice] = useState<{ now: Me; next: Redeemed } | null>(null);
  const accept = useEffectEvent(({ token, tokenId, me, next }: Redeemed): void => {
    queries.clear();
    queries.setQueryData(meQuery.queryKey, me);
    signIn({ token, tokenId, adminId: me.id, name: me.name || me.email }, isKept() ? 'device' : 'tab');
    signInCode.set(next);
  });
  useEffect(() => {
    const answer = asked.get(code) ?? redeemed(code);
    asked.set(code, answer);
    Promise.all([answer, whoIsHere()]).then(
      ([next, now]) => {
        if (now === null || now.id === next.me.id) accept(next);
        else setChoice({ now, next });
      },
      (error: unknown) => {
        // The link may have signed in all the same, and then nobody has that session.
        answer.then(endSession, () => undefined);
        setFailure(error);
      },
    );
  }, [code]);
  if (choice) return <Choose {...choice} onSignIn={accept} />;
  if (failure === null) {
    return (
      <main className="app-wait">
        <h1>{t.byLink}</h1>
        <Skeleton rows={3} />
      </main>
    );
  }
  const isUsed = failure instanceof ApiError && failure.status < 500;
  return <SignIn notice={isUsed ? t.linkRefused : undefined} failed={isUsed ? null : failure} onDone={() => signInCode.set(null)} />;
}

type Choice = { now: Me; next: Redeemed; onSignIn(next: Redeemed): void };

function Choose({ now, next, onSignIn }: Choice) {
  const isDecided = useRef(false);
  useEffect(() => {
    const decline = (): void => {
      if (!isDecided.current) endSession(next);
    };
    window.addEventListener('pagehide', decline);
    return () => window.removeEventListener('pagehide', decline);
  }, [next]);
  return (
    <main className="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          isDecided.current = true;
          endSession(next);
          signInCode.set(null);
        }}
      >
        <h1>{t.otherTitle}</h1>
        <p role="alert">
          <MarkedText text={t.other(nameOf(now), nameOf(next.me))} />
        </p>
        <Button kind="first" type="submit" autoFocus>
          <MarkedText text={t.stay(nameOf(now))} />
        </Button>
        <Button
          onClick={() => {
            isDecided.current = true;
            onSignIn(next);
          }}
        >
          <MarkedText text={t.signInAs(nameOf(next.me))} />
        </Button>
      </form>
    </main>
  );
}

const nameOf = ({ name, email }: Me): string => (name ? `${name} (${email})` : email);
