import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../contract/webhook-endpoints.ts';
import type { Tagged } from '../../api/client.ts';
import { useRecordForm } from '../../parts/record-form.ts';
import { without } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { eventNames, eventTypes } from '../../texts/events.ts';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Sheet, WithSheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Status } from '../../ui/status.tsx';
import { Pager, SearchField, Toolbar } from '../../ui/toolbar.tsx';
import { calls, endpointRecord, endpointsPage } from './queries.ts';

const t = settingsText.webhooks;
const route = getRouteApi('/settings/$section');

/** The addresses that the shop tells of its events. */
export function WebhooksSection() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const endpoints = useQuery(endpointsPage(search.q, search.cursor));
  const mayChange = useMay()('admin_api.webhooks.write');
  const [secret, setSecret] = useState<string | null>(null);
  const go = (next: typeof search): void => void navigate({ search: next });
  const close = (): void => go(without(search, 'open', 'new'));
  const isOpen = search.open !== undefined || search.new === true;
  useShortcuts({ ...(mayChange ? { n: () => go({ ...without(search, 'open'), new: true }) } : {}), ...(isOpen ? { escape: close } : {}) });
  const sheet = search.new ? (
    <NewEndpoint
      close={close}
      made={(id, shown) => {
        setSecret(shown);
        go({ ...without(search, 'new'), open: id });
      }}
    />
  ) : search.open === undefined ? null : (
    <EndpointSheet key={search.open} id={search.open} close={close} tell={setSecret} />
  );
  return (
    <>
      {secret === null ? null : <Secret title={t.secret} value={secret} close={() => setSecret(null)} />}
      <Toolbar>
        <SearchField
          label={t.search}
          value={search.q ?? ''}
          set={(q) => go(q === '' ? without(search, 'q', 'cursor') : { ...without(search, 'cursor'), q })}
        />
        {mayChange ? (
          <Button kind="first" keys="n" className="end" onClick={() => go({ ...without(search, 'open'), new: true })}>
            {t.add}
          </Button>
        ) : null}
      </Toolbar>
      <WithSheet sheet={sheet}>
        <List
          label={t.title}
          query={{ ...endpoints, data: endpoints.data?.data }}
          idOf={({ id }) => id}
          nameOf={({ url }) => url}
          open={search.open}
          onOpen={({ id }) => go({ ...without(search, 'new'), open: id })}
          empty={t.none}
          dropFilters={search.q === undefined ? undefined : () => go({})}
          columns={[
            { name: 'url', head: t.columns.url, cell: ({ url }) => url },
            {
              name: 'state',
              head: t.columns.state,
              cell: ({ active, disabled_reason }) =>
                active ? t.on : disabled_reason === null ? t.off : <Status tone="fail">{t.disabled}</Status>,
            },
            { name: 'events', head: t.columns.events, cell: ({ events }) => events.join(', '), isMinor: true },
          ]}
        />
        <Pager
          cursor={search.cursor}
          next={endpoints.data?.next_cursor}
          go={(cursor) => go(cursor === undefined ? without(search, 'cursor') : { ...search, cursor })}
        />
      </WithSheet>
    </>
  );
}

type Events = WebhookEndpoint['events'];
type EndpointValues = { url: string; events: Events; active: boolean };
const nothing: EndpointValues = { url: '', events: ['*'], active: true };
type EndpointForm<R> = ReturnType<typeof useRecordForm<EndpointValues, R>>;

function EndpointFields<R>({ form }: { form: EndpointForm<R> }) {
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

function NewEndpoint({ close, made }: { close(): void; made(id: number, secret: string | null): void }) {
  const queries = useQueryClient();
  const form = useRecordForm({
    values: nothing,
    send: (values: EndpointValues, options) => calls.createEndpoint(values, options),
    onSaved: ({ id, secret }) => {
      void queries.invalidateQueries({ queryKey: ['webhooks.list'] });
      made(id, secret);
    },
  });
  return (
    <Sheet title={t.newTitle} close={close}>
      <Form label={t.newTitle} form={form} submit={t.add}>
        <EndpointFields form={form} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}

function EndpointSheet({ id, close, tell }: { id: number; close(): void; tell(secret: string | null): void }) {
  const endpoint = useQuery(endpointRecord(id));
  return (
    <Sheet title={endpoint.data?.value.url ?? ''} close={close}>
      {endpoint.isPending ? <Skeleton /> : null}
      {endpoint.error && !endpoint.data ? <Problem error={endpoint.error} retry={() => void endpoint.refetch()} /> : null}
      {endpoint.data ? <EndpointRecord {...endpoint.data} close={close} tell={tell} /> : null}
    </Sheet>
  );
}

function EndpointRecord({ value, etag, close, tell }: Tagged<WebhookEndpoint> & { close(): void; tell(secret: string | null): void }) {
  const queries = useQueryClient();
  const mayChange = useMay()('admin_api.webhooks.write');
  const [isDeleting, setDeleting] = useState(false);
  const changed = (): void => void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).startsWith('webhooks.') });
  const valuesOf = ({ url, events, active }: WebhookEndpoint): EndpointValues => ({ url, events, active });
  const form = useRecordForm({
    values: valuesOf(value),
    etag,
    send: (values: EndpointValues, options) => calls.updateEndpoint(value.id, values, options),
    async reread() {
      const now = await queries.fetchQuery({ ...endpointRecord(value.id), staleTime: 0 });
      return { value: valuesOf(now.value), etag: now.etag };
    },
    onSaved: changed,
  });
  const rotate = useMutation({
    mutationFn: () => calls.rotateSecret(value.id),
    onSuccess: ({ secret }) => tell(secret),
    onSettled: changed,
  });
  const remove = useMutation({ mutationFn: () => calls.deleteEndpoint(value.id), onSuccess: close, onSettled: changed });
  return (
    <>
      {value.disabled_reason === null ? null : <p className="danger-text">{value.disabled_reason}</p>}
      <Form
        label={value.url}
        form={form}
        nameOf={(name) => t.fields[name]}
        isReadOnly={!mayChange}
        acts={
          <>
            <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
              {t.rotate}
            </Button>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {t.remove}
            </Button>
          </>
        }
      >
        <EndpointFields form={form} />
      </Form>
      {rotate.error ? <Problem error={rotate.error} /> : null}
      <p>
        <Link to="/activity/$kind" params={{ kind: 'deliveries' }} search={{ endpoint: value.id }}>
          {t.deliveries}
        </Link>
      </p>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
      {isDeleting ? (
        <Confirm
          title={t.removeTitle}
          act={t.remove}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate()}
          close={() => setDeleting(false)}
        >
          <p>{t.removeDetail}</p>
        </Confirm>
      ) : null}
    </>
  );
}
