import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Agent } from '../../../contract/agents.ts';
import { AgentForm } from '../../parts/agent-form.tsx';
import { blanks } from '../../parts/blanks.ts';
import { useMay, useShop } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { List } from '../../ui/list.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { Section } from '../../ui/page.tsx';
import { Secret } from '../../ui/secret.tsx';
import type { Column } from '../../ui/table.tsx';
import { actColumn } from './columns.tsx';
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
      <div className="agent-notes">
        <p className="muted">{t.note}</p>
        <OauthNote />
      </div>
      {made === null ? null : <Connection token={made} close={() => setMade(null)} />}
      {isNew ? (
        <AgentForm
          label={t.connect}
          submit={t.make}
          send={(body, options) => calls.me.create_agent(body, options)}
          onSaved={({ token }) => {
            setNew(false);
            setMade(token);
            void again();
          }}
          acts={<Button onClick={() => setNew(false)}>{me.cancel}</Button>}
        />
      ) : null}
      <AgentList label={t.title} query={agents} revoke={(id) => calls.me.revoke_agent(id)} />
    </Section>
  );
}

/** How a client is connected that cannot hold a token; or what is missing for that. */
function OauthNote() {
  const { public_url: url } = useShop();
  if (url === null) return <p className="muted">{t.oauthOff}</p>;
  return (
    <p className="muted">
      {t.oauth} <code>{url}/mcp</code>
    </p>
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
  const act = actColumn(t.columns.act, (agent: Agent) => (
    <Button kind="danger" aria-label={me.revokeNamed(agent.name)} onClick={() => setToRevoke(agent)}>
      {me.revoke}
    </Button>
  ));
  const of: Column<Agent> = { name: 'of', head: t.columns.of, cell: ({ admin_name }) => admin_name };
  const [name, ...rest] = columns;
  return (
    <>
      <List
        label={label}
        query={query}
        idOf={({ id }) => id}
        nameOf={({ name: called }) => called}
        blank={blanks.agents}
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
  {
    name: 'client',
    head: t.columns.client,
    cell: ({ client }) => (client === null ? t.byToken : <MarkedText text={client} />),
    isMinor: true,
  },
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
