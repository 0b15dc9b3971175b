import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, guestApi, whoHolds } from '../api/client.ts';
import { session } from '../api/session.ts';
import { signIn } from '../api/sign-in.ts';
import { RightsInWords } from '../parts/rights.tsx';
import { meQuery } from '../parts/shop.ts';
import { joinText as t } from '../texts/join.ts';
import { Button } from '../ui/button.tsx';
import { TextField, Tick } from '../ui/field.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Skeleton } from '../ui/page.tsx';
import { Problem } from '../ui/problem.tsx';
import { deviceName } from './device.ts';
import { isKept, keepChoice } from './keep-choice.ts';
import { Mark } from './mark.tsx';
import { offerOf } from './passkey-offer.ts';
import { SignIn } from './sign-in.tsx';
import { signInCode } from './sign-in-code.ts';
import { MISSING, useSubmit } from './use-submit.ts';
import './sign-in.css';

/** What somebody is invited to, and the name under which they join; then they are signed in. */
export function Join({ code }: { code: string }) {
  const invitation = useQuery({
    queryKey: ['admin_invitations.preview', code],
    queryFn: () => guestApi.admin_invitations.preview({ code }),
    retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    refetchInterval: false,
  });
  if (invitation.data !== undefined) return <JoinForm code={code} invitation={invitation.data} />;
  if (invitation.error === null) {
    return (
      <main className="app-wait">
        <Skeleton rows={3} />
      </main>
    );
  }
  const isRefused = invitation.error instanceof ApiError && invitation.error.status === 422;
  return (
    <SignIn notice={isRefused ? t.refused : undefined} failed={isRefused ? null : invitation.error} onDone={() => signInCode.set(null)} />
  );
}

type Invitation = Awaited<ReturnType<typeof guestApi.admin_invitations.preview>>;

function JoinForm({ code, invitation }: { code: string; invitation: Invitation }) {
  const queries = useQueryClient();
  const [name, setName] = useState(invitation.name);
  const [isKeeping, setKeeping] = useState(isKept());
  const [key] = useState(() => crypto.randomUUID());
  const { shop_name, invited_by_name, email, role, role_name, permissions } = invitation;

  const { failure, isBusy, submit, forget } = useSubmit(async () => {
    if (name.trim() === '') return MISSING;
    const wanted = { code, name: name.trim(), keep_signed_in: isKeeping, device: deviceName(navigator.userAgent) };
    const {
      token,
      token_id: tokenId,
      passkey_code,
    } = await guestApi.admin_invitations.accept(wanted, { headers: { 'idempotency-key': `"${key}"` } });
    if (token === null) throw new Error(t.refused);
    const me = await whoHolds(token);
    const next = await offerOf(passkey_code, token);
    keepChoice.set(isKeeping ? 'yes' : null);
    queries.clear();
    queries.setQueryData(meQuery.queryKey, me);
    signIn({ token, tokenId, adminId: me.id, name: me.name || me.email }, isKeeping ? 'device' : 'tab');
    signInCode.set(next);
    return undefined;
  });

  return (
    <main className="sign-in join">
      <form onSubmit={submit} noValidate>
        <Mark />
        <h1>
          <MarkedText text={t.title(shop_name)} />
        </h1>
        <p>
          <MarkedText text={t.invited(invited_by_name, role === 'owner' ? t.owner : role_name)} />
        </p>
        <RightsInWords isOwn isOwner={role === 'owner'} permissions={permissions} />
        {failure === null || failure === MISSING ? null : <Problem error={failure} />}
        <TextField
          label={t.name}
          hint={t.nameHint}
          autoFocus
          autoComplete="name"
          value={name}
          error={failure === MISSING ? t.missing : undefined}
          onValue={(typed) => {
            setName(typed);
            forget();
          }}
        />
        <p className="muted">
          <MarkedText text={t.address(email)} />
        </p>
        <Tick label={t.keep} checked={isKeeping} onValue={setKeeping} />
        <Button kind="first" type="submit" disabled={isBusy}>
          {t.join}
        </Button>
        {session.token() === null ? null : <p className="muted">{t.instead}</p>}
      </form>
    </main>
  );
}
