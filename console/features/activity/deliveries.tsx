import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookDelivery } from '../../../contract/webhook-endpoints.ts';
import { blanks } from '../../parts/blanks.ts';
import { without } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment, MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { SelectField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sheet, WithSheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import type { ListProps } from './page.tsx';
import { calls, deliveriesPage, endpoints } from './queries.ts';

const t = activityText.deliveries;
const filters = ['all', 'pending', 'delivered', 'failed'] as const;
const tones: Record<WebhookDelivery['status'], Tone> = { pending: 'move', delivered: 'rest', failed: 'fail' };

/** What was sent to one of the addresses that are told of events. */
export function DeliveryList({ search, go }: ListProps) {
  const all = useQuery(endpoints);
  const first = all.data?.data[0];
  if (all.data && !first) return <Empty drawing="plug" title={t.noEndpoint} />;
  const endpoint = search.endpoint ?? first?.id;
  return (
    <>
      {all.error ? <Problem error={all.error} retry={() => void all.refetch()} /> : null}
      <Toolbar>
        <SelectField
          label={t.choose}
          value={String(endpoint ?? '')}
          options={(all.data?.data ?? []).map(({ id, url }) => [String(id), url] as const)}
          onValue={(id) => go({ endpoint: Number(id) })}
        />
        <SelectField
          label={t.status}
          value={filters.find((one) => one === search.status) ?? 'all'}
          options={filters.map((one) => [one, t.statuses[one]] as const)}
          onValue={(one) => go({ ...without(search, 'status', 'before', 'open'), ...(one === 'all' ? {} : { status: one }) })}
        />
      </Toolbar>
      {endpoint === undefined ? null : <Deliveries endpoint={endpoint} search={search} go={go} />}
    </>
  );
}

function Deliveries({ endpoint, search, go }: ListProps & { endpoint: number }) {
  const page = useQuery(deliveriesPage(endpoint, search));
  const open = page.data?.find(({ id }) => id === search.open);
  const close = (): void => go(without(search, 'open'));
  const last = page.data?.at(-1);
  useShortcuts(open ? { escape: close } : {});
  return (
    <WithSheet sheet={open ? <Delivery delivery={open} endpoint={endpoint} close={close} /> : null}>
      <List
        label={activityText.kinds.deliveries}
        query={page}
        idOf={({ id }) => id}
        nameOf={({ type }) => type}
        open={search.open}
        onOpen={({ id }) => go({ ...search, open: id })}
        blank={blanks.deliveries}
        empty={t.none}
        dropFilters={search.status === undefined ? undefined : () => go(without(search, 'status', 'before'))}
        columns={[
          {
            name: 'when',
            head: t.columns.when,
            cell: ({ created_at }) => <MutedMoment at={created_at} kind="second" />,
          },
          { name: 'event', head: t.columns.event, cell: ({ type }) => <code>{type}</code> },
          { name: 'status', head: t.columns.status, cell: ({ status }) => <Status tone={tones[status]}>{t.statuses[status]}</Status> },
          { name: 'attempts', head: t.columns.attempts, cell: ({ attempts }) => attempts, isNumber: true, isMinor: true },
          { name: 'answer', head: t.columns.answer, cell: ({ response_status }) => response_status ?? '', isNumber: true, isMinor: true },
        ]}
      />
      <div className="pager">
        {search.before === undefined ? null : <Button onClick={() => go(without(search, 'before', 'open'))}>{t.newest}</Button>}
        {last && page.data?.length === 50 ? (
          <Button onClick={() => go({ ...without(search, 'open'), before: last.id })}>{t.older}</Button>
        ) : null}
      </div>
    </WithSheet>
  );
}

function Delivery({ delivery, endpoint, close }: { delivery: WebhookDelivery; endpoint: number; close(): void }) {
  const queries = useQueryClient();
  const mayRetry = useMay()('admin_api.webhooks.write');
  const retry = useMutation({
    mutationFn: () => calls.webhooks.retry_delivery(endpoint, delivery.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks.list_deliveries'] }),
  });
  return (
    <Sheet title={delivery.type} marks={<Status tone={tones[delivery.status]}>{t.statuses[delivery.status]}</Status>} close={close}>
      <Facts
        facts={[
          [t.columns.when, <Moment key="at" at={delivery.created_at} kind="second" />],
          [t.columns.attempts, delivery.attempts],
          ...(delivery.last_error === null ? [] : [[t.error, delivery.last_error] as const]),
        ]}
      />
      {mayRetry ? (
        <Button disabled={retry.isPending} onClick={() => retry.mutate()} aria-label={t.retryNamed(delivery.type)}>
          {t.retry}
        </Button>
      ) : null}
      {retry.error ? <Problem error={retry.error} /> : null}
      <Section title={t.payload}>
        <pre className="wrap">{delivery.payload}</pre>
      </Section>
    </Sheet>
  );
}
