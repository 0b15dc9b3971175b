import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, redeem, whoHolds } from '../api/client.ts';
import { session } from '../api/session.ts';
import { text } from '../texts/en/app.ts';
import { Skeleton } from '../ui/page.tsx';
import { meQuery } from './shop.ts';
import { SignIn } from './sign-in.tsx';
import { signInCode } from './sign-in-code.ts';

/** The answer to a code is asked for once, although React runs effects twice while developing. */
const asked = new Map<string, Promise<{ token: string | null }>>();

/** Signs in with the code of a link. A link that was used or is too old leads to the usual form. */
export function SignInByLink({ code }: { code: string }) {
  const queries = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    const answer = asked.get(code) ?? redeem(code);
    asked.set(code, answer);
    answer
      .then(async ({ token }) => {
        if (token === null) throw new Error('the link was used already');
        queries.setQueryData(meQuery.queryKey, await whoHolds(token));
        // Kept for this tab: the link works once, so a reload could not sign in again.
        session.signIn(token, true);
        signInCode.set(null);
      })
      .catch(setFailure);
  }, [code, queries]);
  if (failure === null) {
    return (
      <main className="app-wait">
        <h1>{text.signIn.byLink}</h1>
        <Skeleton rows={3} />
      </main>
    );
  }
  const isUsed = failure instanceof ApiError && failure.status < 500;
  return (
    <SignIn notice={isUsed ? text.signIn.linkRefused : undefined} failed={isUsed ? null : failure} onDone={() => signInCode.set(null)} />
  );
}
