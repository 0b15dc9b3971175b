import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewInvitation } from '../../../../contract/invitations.ts';
import { EditForm } from '../../../parts/edit-form.tsx';
import { Fields } from '../../../parts/fields.tsx';
import { useRecordForm } from '../../../parts/record-form.ts';
import { useReload } from '../../../parts/reload.ts';
import { useShop } from '../../../parts/shop.ts';
import { passkeysText } from '../../../texts/passkeys.ts';
import { peopleText as t } from '../../../texts/people.ts';
import { Button } from '../../../ui/button.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { Secret } from '../../../ui/secret.tsx';
import { allRoles, calls, myPasskeys } from '../queries.ts';
import { bodyOfRights, type Rights, RoleField } from './role-field.tsx';

type Values = Rights & { email: string; name: string; send_mail: boolean; vouches: boolean };

/** Invites somebody, and shows their link once. */
export function InviteForm({ done }: { done(): void }) {
  const [made, setMade] = useState<NewInvitation | null>(null);
  const roles = useQuery(allRoles);
  const own = useQuery(myPasskeys);
  if (made !== null) return <InvitationLink made={made} close={done} />;
  return (
    <Loaded query={roles}>
      {({ data }) => (
        <NewInvitationForm
          mayVouch={own.data?.origin === window.location.origin && own.data.passkeys.length > 0}
          first={data[0] === undefined ? 'own' : String((data.find(isUsual) ?? data[0]).id)}
          onMade={setMade}
        />
      )}
    </Loaded>
  );
}

/** Most who are invited help customers. */
const isUsual = ({ name }: { name: string }): boolean => name === 'Support';

type NewProps = { first: string; mayVouch: boolean; onMade(made: NewInvitation): void };

function NewInvitationForm({ first, mayVouch, onMade }: NewProps) {
  const { sends_mail, public_url } = useShop();
  const reload = useReload();
  const canMail = sends_mail && public_url !== null;
  const start: Values = { email: '', name: '', choice: first, permissions: [], send_mail: canMail, vouches: true };
  const form = useRecordForm({
    values: start,
    send: async ({ email, name, send_mail, vouches, ...rights }: Values, options) => {
      // Loaded where somebody has a passkey.
      const vouched = mayVouch && vouches ? { assertion: await (await import('../../../api/passkeys.ts')).confirmed(calls, 'vouch') } : {};
      return calls.admin_invitations.create({ email, name, send_mail, ...bodyOfRights(rights), ...vouched }, options);
    },
    onSaved: (made) => {
      void reload('admin_invitations');
      onMade(made);
    },
  });
  return (
    <EditForm label={t.inviteTitle} form={form} submit={t.submitInvite} canSendUnedited>
      <Fields
        form={form}
        fields={[
          { kind: 'email', name: 'email', label: t.columns.email, autoFocus: true },
          { kind: 'text', name: 'name', label: t.columns.name, hint: t.nameHint },
        ]}
      />
      <RoleField form={form} />
      {mayVouch ? <Fields form={form} fields={[{ kind: 'tick', name: 'vouches', label: passkeysText.vouch }]} /> : null}
      {canMail ? (
        <Fields form={form} fields={[{ kind: 'tick', name: 'send_mail', label: t.sendMail }]} />
      ) : (
        <p className="muted">{t.noMail}</p>
      )}
    </EditForm>
  );
}

/** The link of an invitation, this once. */
export function InvitationLink({ made: { email, url_path, mailed }, close }: { made: NewInvitation; close(): void }) {
  return (
    <>
      {url_path === null ? null : <Secret title={t.inviteMade(email)} value={`${window.location.origin}${url_path}`} close={close} />}
      {mailed ? (
        <p>
          <MarkedText text={t.mailed(email)} />
        </p>
      ) : null}
      <Button onClick={close}>{t.done}</Button>
    </>
  );
}
