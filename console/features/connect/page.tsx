import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AgentRequest } from '../../../contract/agent-requests.ts';
import { agentNameOf } from '../../../contract/agent-rules.ts';
import { ApiError } from '../../api/client.ts';
import { AgentForm } from '../../parts/agent-form.tsx';
import { useMe } from '../../parts/shop.ts';
import { connectText as t } from '../../texts/connect.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { Facts, PageHead, Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { agentRequest, calls } from './queries.ts';
import './page.css';

const route = getRouteApi('/connect/$request');

/** Where an admin decides on a client that asks to be connected by OAuth (spec MC8). */
export function ConnectPage() {
  const { request } = route.useParams();
  const asks = useQuery(agentRequest(request));
  const isGone = asks.error instanceof ApiError && asks.error.status === 404;
  if (isGone && !asks.data)
    return (
      <>
        <PageHead title={t.title} />
        <Empty drawing="sign" title={t.gone} />
      </>
    );
  return (
    <>
      <PageHead title={t.title} />
      <Loaded query={asks}>{(asked) => <Decision key={request} request={request} asked={asked} />}</Loaded>
    </>
  );
}

function Decision({ request, asked }: { request: string; asked: AgentRequest }) {
  const me = useMe();
  const [isDone, setDone] = useState(false);
  // The server's own address, which leads the browser back to the client.
  const go = ({ continue_path: path }: { continue_path: string | null }): void => {
    setDone(true);
    if (path !== null) window.location.assign(path);
  };
  const deny = useMutation({ mutationFn: () => calls.me.deny_agent(request), onSuccess: go });
  if (isDone) return <Empty drawing="sign" title={t.goesOn} />;
  return (
    <Section title={t.asks}>
      <div className="connect-who">
        <Facts
          facts={[
            [t.client, <MarkedText key="name" text={asked.client_name} />],
            [
              t.host,
              asked.client_host ?? (
                <Status key="none" tone="need">
                  {t.noHost}
                </Status>
              ),
            ],
            [t.redirect, asked.redirect_host],
            [t.actsFor, me.name || me.email],
          ]}
        />
      </div>
      <p className="connect-choose">{asked.asked === null ? t.choose : t.chooseAsked}</p>
      {deny.error ? <Problem error={deny.error} /> : null}
      <AgentForm
        label={t.title}
        name={agentNameOf(asked.client_name)}
        asked={asked.asked}
        submit={t.allow}
        send={(body, options) => calls.me.allow_agent(request, body, options)}
        onSaved={go}
        acts={
          <Button disabled={deny.isPending} onClick={() => deny.mutate()}>
            {t.deny}
          </Button>
        }
      />
    </Section>
  );
}
