import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { ListedToken } from '../../../contract/admins.ts';
import type { NotificationPreference } from '../../../contract/preferences.ts';
import { blanks } from '../../parts/blanks.ts';
import { Fields } from '../../parts/fields.tsx';
import { NoMailServer } from '../../parts/mail.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMe } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { newsText } from '../../texts/news.ts';
import { peopleText } from '../../texts/people.ts';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { PermissionField } from '../../ui/permission-field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Status } from '../../ui/status.tsx';
import { OwnAgents } from './agents.tsx';
import { actColumn } from './columns.tsx';
import { Devices } from './devices.tsx';
import { calls, myTokens, preferences } from './queries.ts';

const t = settingsText.me;
const Passkeys = lazy(async () => ({ default: (await import('./passkeys.tsx')).Passkeys }));
const Sessions = lazy(async () => ({ default: (await import('./sessions.tsx')).Sessions }));

/** What belongs to the person who is signed in: tokens, and which mails they get. */
export function MeSection() {
  const me = useMe();
  return (
    <>
      <Section title={t.title}>
        <Facts
          facts={[
            [t.name, me.name],
            [t.email, me.email],
            [t.role, me.role === 'owner' ? peopleText.owner : (me.role_name ?? peopleText.staff)],
          ]}
        />
      </Section>
      <Mails />
      <Suspense fallback={null}>
        <Passkeys />
        <Sessions />
      </Suspense>
      <Devices />
      <Tokens />
      <OwnAgents />
    </>
  );
}

function Mails() {
  const queries = useQueryClient();
  const list = useQuery(preferences);
  const onSettled = (): Promise<void> => queries.invalidateQueries({ queryKey: ['preferences.list'] });
  // What was ticked is shown at once, and until the list tells it: a mutation is pending a moment later than the click.
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const set = useMutation({
    mutationFn: ({ type, on }: { type: string; on: boolean }) => calls.preferences.update(type, { email_enabled: on }),
    onSettled: async (_, __, { type }) => {
      await onSettled();
      setTicked((all) => new Map([...all].filter(([one]) => one !== type)));
    },
  });
  const reset = useMutation({ mutationFn: (type: string) => calls.preferences.reset(type), onSettled });
  return (
    <Section title={t.mails}>
      <NoMailServer />
      {list.data?.map(named).map(({ event_type, label, email_enabled, scope, unless_set }) => (
        <div key={event_type} className="mail-choice">
          <Tick
            label={scope === 'own' ? t.ofOwn(label) : label}
            checked={ticked.get(event_type) ?? email_enabled}
            onValue={(on) => {
              setTicked(new Map(ticked).set(event_type, on));
              set.mutate({ type: event_type, on });
            }}
          />
          {scope === unless_set ? null : (
            <Button aria-label={t.onlyOwnOf(label)} onClick={() => reset.mutate(event_type)}>
              {t.onlyOwn}
            </Button>
          )}
        </div>
      ))}
      {list.data?.length === 0 ? <p className="muted">{t.noMails}</p> : null}
      {list.error ? <Problem error={list.error} /> : null}
      {set.error ? <Problem error={set.error} /> : null}
      {reset.error ? <Problem error={reset.error} /> : null}
    </Section>
  );
}

const mails: Readonly<Record<string, string>> = newsText.mails;

/** An event is called as in the admin's language; one that the console does not know, as the server calls it. */
const named = (one: NotificationPreference): NotificationPreference => ({ ...one, label: mails[one.event_type] ?? one.label });

function Tokens() {
  const me = useMe();
  const queries = useQueryClient();
  const tokens = useQuery(myTokens);
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['me.list_tokens'] });
  return (
    <Section title={t.tokens} act={isNew ? null : <Button onClick={() => setNew(true)}>{t.newToken}</Button>}>
      {made === null ? null : <Secret title={t.tokenMade} value={made} close={() => setMade(null)} />}
      {isNew ? (
        <TokenForm
          done={(token) => {
            setNew(false);
            setMade(token);
            void again();
          }}
          close={() => setNew(false)}
        />
      ) : null}
      <List
        label={t.tokens}
        query={{ ...tokens, data: tokens.data?.filter(({ device }) => device === null) }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        blank={blanks.tokens}
        empty={t.noTokens}
        columns={[
          {
            name: 'name',
            head: t.columns.name,
            cell: ({ id, name }) => (
              <>
                {name} {id === me.token_id ? <span className="tag">{t.thisOne}</span> : null}
              </>
            ),
          },
          { name: 'prefix', head: t.columns.prefix, cell: ({ token_prefix }) => <code>{token_prefix}…</code>, isMinor: true },
          {
            name: 'may',
            head: t.columns.may,
            cell: ({ permissions }) => (permissions === null ? t.all : t.permissions(permissions.length)),
            isMinor: true,
          },
          {
            name: 'used',
            head: t.columns.used,
            cell: ({ last_used_at }) => (last_used_at === null ? t.never : <Moment at={last_used_at} />),
            isMinor: true,
          },
          {
            name: 'expires',
            head: t.columns.expires,
            cell: ({ expires_at }) =>
              expires_at === null ? <Status tone="need">{t.neverExpires}</Status> : <Moment at={expires_at} kind="day" />,
          },
          actColumn(t.columns.act, ({ id, name }: ListedToken) => (
            <Remove
              name={name}
              act={t.revoke}
              label={t.revokeNamed(name)}
              title={t.revokeTitle(name)}
              run={() => calls.me.revoke_token(id)}
              onDone={again}
            >
              <p>{id === me.token_id ? t.revokeThis : t.revokeDetail}</p>
            </Remove>
          )),
        ]}
      />
    </Section>
  );
}

const expiries = ['30', '90', '365', 'never'] as const;
type TokenValues = { name: string; isLimited: boolean; permissions: readonly string[]; expiry: (typeof expiries)[number] };

function TokenForm({ done, close }: { done(token: string | null): void; close(): void }) {
  const { effective_permissions: held } = useMe();
  const start: TokenValues = { name: '', isLimited: false, permissions: [], expiry: '90' };
  const form = useRecordForm({
    values: start,
    send: ({ name, isLimited, permissions, expiry }: TokenValues, options) =>
      calls.me.create_token(
        { name, permissions: isLimited ? [...permissions] : null, expires_in_days: expiry === 'never' ? null : Number(expiry) },
        options,
      ),
    onSaved: ({ token }) => done(token),
  });
  return (
    <Form label={t.newToken} form={form} submit={t.makeToken} acts={<Button onClick={close}>{t.cancel}</Button>}>
      <Fields
        form={form}
        fields={[
          { kind: 'text', name: 'name', label: t.tokenName, autoFocus: true },
          { kind: 'choice', name: 'expiry', label: t.expiresIn, options: expiries.map((one) => [one, t.expiries[one]] as const) },
          { kind: 'tick', name: 'isLimited', label: t.limited },
        ]}
      />
      {form.values.expiry === 'never' ? <Status tone="need">{t.neverHint}</Status> : null}
      {form.values.isLimited ? (
        <PermissionField
          label={t.columns.may}
          offered={held.filter((one) => !one.startsWith('admin_api.admins.') && !one.startsWith('admin_api.runner.'))}
          value={form.values.permissions}
          onValue={(permissions) => form.set('permissions', permissions)}
          error={form.errorAt('permissions')}
          pointer="/permissions"
        />
      ) : null}
    </Form>
  );
}
