import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation, NewInvitation } from '../../../../contract/invitations.ts';
import { blanks } from '../../../parts/blanks.ts';
import { useReload } from '../../../parts/reload.ts';
import { Remove } from '../../../parts/remove.tsx';
import { useShop } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { peopleText as t } from '../../../texts/people.ts';
import { Button } from '../../../ui/button.tsx';
import { List } from '../../../ui/list.tsx';
import { Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { actColumn } from '../columns.tsx';
import { calls, invitations } from '../queries.ts';
import { InvitationLink } from './invite.tsx';

/** Those who were invited and have not joined yet. */
export function Invited({ mayChange }: { mayChange: boolean }) {
  const list = useQuery(invitations);
  const reload = useReload();
  const [made, setMade] = useState<NewInvitation | null>(null);
  const { sends_mail, public_url } = useShop();
  const again = useMutation({
    mutationFn: (id: number) => calls.admin_invitations.resend(id, { send_mail: sends_mail && public_url !== null }),
    onSuccess: setMade,
    onSettled: () => reload('admin_invitations'),
  });
  if (list.data !== undefined && list.data.length === 0 && made === null) return null;
  const act: Column<Invitation> = actColumn(t.invitedColumns.act, ({ id, email }) => (
    <div className="acts">
      <Button aria-label={t.againNamed(email)} disabled={again.isPending} onClick={() => again.mutate(id)}>
        {t.again}
      </Button>
      <Remove
        name={email}
        act={t.takeBack}
        label={t.takeBackNamed(email)}
        title={t.takeBackTitle(email)}
        run={() => calls.admin_invitations.delete(id)}
        onDone={() => reload('admin_invitations')}
      >
        <p>{t.takeBackDetail}</p>
      </Remove>
    </div>
  ));
  return (
    <Section title={t.invited}>
      {made === null ? null : <InvitationLink made={made} close={() => setMade(null)} />}
      {again.error ? <Problem error={again.error} /> : null}
      <List
        label={t.invited}
        query={list}
        idOf={({ id }) => id}
        nameOf={({ email }) => email}
        blank={blanks.people}
        empty=""
        columns={[...columns, ...(mayChange ? [act] : [])]}
      />
    </Section>
  );
}

const columns: readonly Column<Invitation>[] = [
  { name: 'email', head: t.invitedColumns.email, cell: ({ email, name }) => (name === '' ? email : `${name} · ${email}`) },
  {
    name: 'role',
    head: t.invitedColumns.role,
    cell: ({ role, role_name }) => (role === 'owner' ? t.owner : (role_name ?? t.ownList)),
    isMinor: true,
  },
  {
    name: 'state',
    head: t.invitedColumns.state,
    cell: ({ state }) => <Status tone={state === 'pending' ? 'move' : 'need'}>{t.states[state]}</Status>,
  },
  { name: 'expires', head: t.invitedColumns.expires, cell: ({ expires_at }) => <Moment at={expires_at} kind="day" />, isMinor: true },
];
