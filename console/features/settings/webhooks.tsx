import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../contract/webhook-endpoints.ts';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { RecordForm } from '../../parts/record-form.ts';
import { type RecordKind, recordSheet } from '../../parts/record-sheet.tsx';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { eventNames, eventTypes } from '../../texts/events.ts';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { TextField, Tick } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { calls, endpointsPage } from './queries.ts';

const t = settingsText.webhooks;
const route = getRouteApi('/settings/$section');

const columns: Column<WebhookEndpoint>[] = [
  { name: 'url', head: t.columns.url, cell: ({ url }) => url },
  {
    name: 'state',
    head: t.columns.state,
    cell: ({ active, disabled_reason }) => (active ? t.on : disabled_reason === null ? t.off : <Status tone="fail">{t.disabled}</Status>),
  },
  { name: 'events', head: t.columns.events, cell: ({ events }) => events.join(', '), isMinor: true },
];

/** The addresses that the shop tells of its events. */
export function WebhooksSection() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay()('admin_api.webhooks.write');
  const [secret, setSecret] = useState<string | null>(null);
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  return (
    <>
      {secret === null ? null : <Secret title={t.secret} value={secret} close={() => setSecret(null)} />}
      <ListPage
        title={t.title}
        search={search}
        patch={patch}
        page={(cursor) => endpointsPage(search.q, cursor)}
        columns={columns}
        nameOf={({ url }) => url}
        searchLabel={t.search}
        blank={blanks.webhooks}
        empty={t.none}
        create={mayChange ? t.add : undefined}
        sheet={() =>
          recordSheet(endpointKind(setSecret), {
            id: search.open,
            mayChange,
            close: () => patch({ open: undefined, new: undefined }),
            open: (id) => patch({ open: id, new: undefined }),
          })
        }
      />
    </>
  );
}

const endpointKind = (
  tell: (secret: string | null) => void,
): RecordKind<WebhookEndpoint, EndpointValues, WebhookEndpoint & { secret: string | null }> => ({
  resources: ['webhooks'],
  creation: {
    title: t.newTitle,
    submit: t.add,
    start: () => ({ url: '', events: ['*'], active: true }),
    create: calls.webhooks.create,
    done: ({ secret }) => tell(secret),
  },
  key: ['webhooks.get'],
  get: calls.webhooks.get,
  nameOf: ({ url }) => url,
  valuesOf: ({ url, events, active }) => ({ url, events, active }),
  update: calls.webhooks.update,
  fields: (form) => <EndpointFields form={form} />,
  labelOf: (name) => t.fields[name],
  above: ({ disabled_reason }) => (disabled_reason === null ? null : <p className="danger-text">{disabled_reason}</p>),
  acts: ({ id, url }, removed) => (
    <>
      <Rotate id={id} tell={tell} />
      <Remove name={url} act={t.remove} title={t.removeTitle} run={() => calls.webhooks.delete(id)} onDone={removed}>
        <p>{t.removeDetail}</p>
      </Remove>
    </>
  ),
  below: ({ id }) => (
    <p>
      <Link to="/activity/$kind" params={{ kind: 'deliveries' }} search={{ endpoint: id }}>
        {t.deliveries}
      </Link>
    </p>
  ),
});

function Rotate({ id, tell }: { id: number; tell(secret: string | null): void }) {
  const reload = useReload();
  const rotate = useMutation({
    mutationFn: () => calls.webhooks.rotate_secret(id),
    onSuccess: ({ secret }) => tell(secret),
    onSettled: () => reload('webhooks'),
  });
  return (
    <>
      <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
        {t.rotate}
      </Button>
      {rotate.error ? <Problem error={rotate.error} /> : null}
    </>
  );
}

type Events = WebhookEndpoint['events'];
type EndpointValues = { url: string; events: Events; active: boolean };

function EndpointFields({ form }: { form: RecordForm<EndpointValues, unknown> }) {
  const { values, set } = form;
  const isAll = values.events.includes('*');
  return (
    <>
      <TextField label={t.columns.url} type="url" placeholder="https://example.com/hooks" {...form.text('url')} />
      <Tick label={t.active} checked={values.active} onValue={(active) => set('active', active)} />
      <fieldset className="part" tabIndex={-1} data-pointer="/events">
        <legend>{t.columns.events}</legend>
        {form.errorAt('events') === undefined ? null : <p className="field-error">{form.errorAt('events')}</p>}
        <Tick label={t.allEvents} checked={isAll} onValue={(all) => set('events', all ? ['*'] : [])} />
        {isAll
          ? null
          : eventTypes.map((event) => (
              <Tick
                key={event}
                label={eventNames[event]}
                checked={values.events.includes(event)}
                onValue={(on) => set('events', on ? [...values.events, event] : values.events.filter((one) => one !== event))}
              />
            ))}
      </fieldset>
    </>
  );
}
