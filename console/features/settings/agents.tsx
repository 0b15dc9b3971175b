import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isGivenToAgents } from '../../../contract/agent-rules.ts';
import type { Agent } from '../../../contract/agents.ts';
import { useRecordForm } from '../../parts/record-form.ts';
import { useMay, useMe } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { NumberField, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import { PermissionField } from '../../ui/permission-field.tsx';
import { Secret } from '../../ui/secret.tsx';
import type { Column } from '../../ui/table.tsx';
import { allAgents, calls, myAgents } from './queries.ts';

const t = settingsText.agents;
const me = settingsText.me;

/** The agents of the one who is signed in, and the way to connect another. */
export function OwnAgents() {
  const agents = useQuery(myAgents);
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const again = useReloadAgents();
  return (
    <Section title={t.title} act={isNew ? null : <Button onClick={() => setNew(true)}>{t.connect}</Button>}>
      <p className="muted">{t.note}</p>
      {made === null ? null : <Connection token={made} close={() => setMade(null)} />}
      {isNew ? (
        <AgentForm
          done={(token) => {
            setNew(false);
            setMade(token);
            void again();
          }}
          close={() => setNew(false)}
        />
      ) : null}
      <AgentList label={t.title} query={agents} revoke={(id) => calls.me.revoke_agent(id)} />
    </Section>
  );
}

/** The agents of all admins, for owners. */
export function AllAgents() {
  const agents = useQuery(allAgents);
  const mayRevoke = useMay()('admin_api.admins.write');
  return (
    <Section title={t.all}>
      <AgentList label={t.all} query={agents} ofAll revoke={mayRevoke ? (id) => calls.admins.revoke_agent(id) : null} />
    </Section>
  );
}

function useReloadAgents(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(['me.list_agents', 'admins.list_agents'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
  };
}

type ListProps = {
  label: string;
  query: ReturnType<typeof useQuery<Agent[]>>;
  ofAll?: boolean;
  /** null: the reader may not revoke them. */
  revoke: ((id: number) => Promise<unknown>) | null;
};

function AgentList({ label, query, ofAll = false, revoke }: ListProps) {
  const again = useReloadAgents();
  const [toRevoke, setToRevoke] = useState<Agent | null>(null);
  const revoking = useMutation({
    mutationFn: async (id: number) => revoke?.(id),
    onSuccess: () => setToRevoke(null),
    onSettled: again,
  });
  const act: Column<Agent> = {
    name: 'act',
    head: <span className="visually-hidden">{t.columns.act}</span>,
    cell: (agent) => (
      <Button kind="danger" aria-label={me.revokeNamed(agent.name)} onClick={() => setToRevoke(agent)}>
        {me.revoke}
      </Button>
    ),
  };
  const of: Column<Agent> = { name: 'of', head: t.columns.of, cell: ({ admin_name }) => admin_name };
  const [name, ...rest] = columns;
  return (
    <>
      <List
        label={label}
        query={query}
        idOf={({ id }) => id}
        nameOf={({ name: called }) => called}
        empty={t.none}
        columns={[...(name ? [name] : []), ...(ofAll ? [of] : []), ...rest, ...(revoke === null ? [] : [act])]}
      />
      {toRevoke === null ? null : (
        <Confirm
          title={t.revokeTitle(toRevoke.name)}
          act={me.revoke}
          isDanger
          isBusy={revoking.isPending}
          error={revoking.error}
          onAct={() => revoking.mutate(toRevoke.id)}
          close={() => setToRevoke(null)}
        >
          <p>{t.revokeDetail}</p>
        </Confirm>
      )}
    </>
  );
}

const columns: readonly Column<Agent>[] = [
  { name: 'name', head: t.columns.name, cell: ({ name }) => name },
  { name: 'may', head: t.columns.may, cell: ({ permissions }) => me.permissions(permissions.length), isMinor: true },
  { name: 'people', head: t.columns.people, cell: ({ sees_personal_data: sees }) => (sees ? t.sees : t.hidden), isMinor: true },
  {
    name: 'used',
    head: t.columns.used,
    cell: ({ last_used_at }) => (last_used_at === null ? me.never : <Moment at={last_used_at} />),
    isMinor: true,
  },
  {
    name: 'expires',
    head: t.columns.expires,
    cell: ({ expires_at }) => (expires_at === null ? me.neverExpires : <Moment at={expires_at} kind="day" />),
  },
];

type AgentValues = { name: string; permissions: readonly string[]; sees_personal_data: boolean; expires_in_days: number | null };

function AgentForm({ done, close }: { done(token: string | null): void; close(): void }) {
  const { effective_permissions: held } = useMe();
  const start: AgentValues = { name: '', permissions: [], sees_personal_data: false, expires_in_days: 90 };
  const form = useRecordForm({
    values: start,
    send: ({ permissions, expires_in_days, ...values }: AgentValues, options) =>
      calls.me.create_agent(
        { ...values, permissions: [...permissions], ...(expires_in_days === null ? {} : { expires_in_days }) },
        options,
      ),
    onSaved: ({ token }) => done(token),
  });
  return (
    <Form label={t.connect} form={form} submit={t.make} acts={<Button onClick={close}>{me.cancel}</Button>}>
      <TextField label={t.name} hint={t.nameHint} autoFocus {...form.text('name')} />
      <NumberField
        label={t.days}
        hint={t.daysHint}
        pointer="/expires_in_days"
        error={form.errorAt('expires_in_days')}
        value={form.values.expires_in_days}
        onValue={(days) => form.set('expires_in_days', days)}
      />
      <PermissionField
        label={t.may}
        offered={held.filter(isGivenToAgents)}
        value={form.values.permissions}
        onValue={(permissions) => form.set('permissions', permissions)}
        error={form.errorAt('permissions')}
        pointer="/permissions"
      />
      <Tick label={t.people} checked={form.values.sees_personal_data} onValue={(sees) => form.set('sees_personal_data', sees)} />
      <p className="muted">{t.peopleHint}</p>
    </Form>
  );
}

/** The token, this once, and the lines that the common clients take. */
function Connection({ token, close }: { token: string; close(): void }) {
  const url = `${window.location.origin}/mcp`;
  const header = `Authorization: Bearer ${token}`;
  const server = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } };
  return (
    <>
      <Secret title={t.made} value={token} close={close} />
      <p>{t.lines}</p>
      <p className="muted">{t.clients.claude}</p>
      <pre className="paste">{`claude mcp add --transport http backroom ${url} --header "${header}"`}</pre>
      <p className="muted">{t.clients.json}</p>
      <pre className="paste">{JSON.stringify({ mcpServers: { backroom: server } }, null, 2)}</pre>
    </>
  );
}
