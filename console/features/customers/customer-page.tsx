import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { CustomerDetail } from '../../../contract/customers.ts';
import type { Tagged } from '../../api/client.ts';
import { fetchAhead } from '../../parts/fetch-ahead.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { defined } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { customersText as t } from '../../texts/customers.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Columns, PageHead, Sentence, Skeleton } from '../../ui/page.tsx';
import { WithSheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Banner } from '../../ui/tabs.tsx';
import { Access } from './access.tsx';
import { Addresses, AddressSheet } from './addresses.tsx';
import { Credits } from './credits.tsx';
import { Business, Details } from './details.tsx';
import { Files } from './files.tsx';
import { Orders } from './orders.tsx';
import { activeSubscriptions, calls, customerRecord } from './queries.ts';

const Timeline = lazyRouteComponent(() => import('../../parts/timeline/timeline.tsx'), 'Timeline');
fetchAhead(Timeline);

const route = getRouteApi('/customers/$id');

export function CustomerPage() {
  const { id } = route.useParams();
  const { open, new: isNew = false } = route.useSearch();
  const navigate = route.useNavigate();
  const customer = useQuery(customerRecord(id));
  const go = (search: { open?: number | undefined; new?: true | undefined }): void => void navigate({ search: defined(search) });
  const isSheetOpen = isNew || open !== undefined;
  useShortcuts({ escape: () => (isSheetOpen ? go({}) : void navigate({ to: '/customers' })) });
  return (
    <WithSheet sheet={isSheetOpen ? <AddressSheet key={open ?? 'new'} customerId={id} id={open} close={() => go({})} /> : null}>
      <Loaded query={customer} rows={10}>
        {(record) => (
          <Customer
            {...record}
            open={open}
            openAddress={(address) => go({ open: address, new: address === undefined ? true : undefined })}
          />
        )}
      </Loaded>
    </WithSheet>
  );
}

type Props = Tagged<CustomerDetail> & { open: number | undefined; openAddress(id: number | undefined): void };

function Customer({ value: customer, etag, open, openAddress }: Props) {
  const may = useMay();
  const navigate = route.useNavigate();
  const reload = useReload();
  const { id, name, email } = customer;
  const isRemoved = customer.anonymised_at !== null;
  const mayChange = may('admin_api.customers.write') && !isRemoved;
  return (
    <>
      <PageHead
        title={name || t.removed}
        note={
          <>
            {email ? `${email} · ` : null}
            <Sentence words={t.since} parts={[<Moment key="at" at={customer.created_at} kind="day" />]} />
          </>
        }
      >
        <ButtonLink to="/customers" keys="escape">
          {t.back}
        </ButtonLink>
        {mayChange ? (
          <Remove
            name={name}
            act={t.remove.act}
            run={() => calls.delete(id)}
            onDone={async () => {
              await navigate({ to: '/customers' });
              void reload('customers');
            }}
          >
            <Remains customer={customer} />
          </Remove>
        ) : null}
      </PageHead>
      {customer.anonymised_at === null ? null : (
        <Banner tone="plain">
          <span>
            <Sentence words={t.anonymised} parts={[<Moment key="at" at={customer.anonymised_at} />]} />
          </span>
        </Banner>
      )}
      <Columns>
        <div>
          <Details customer={customer} etag={etag} isReadOnly={!mayChange} />
          <Business customer={customer} etag={etag} isReadOnly={!mayChange} />
        </div>
        <div>
          <Orders customer={customer} />
          <Addresses id={id} open={open} openAddress={openAddress} mayChange={mayChange} />
          <Access id={id} />
          <Suspense fallback={<Skeleton />}>
            <Timeline of="customer" id={id} mayChange={mayChange} />
          </Suspense>
        </div>
        <div>
          <Files id={id} mayChange={mayChange} />
          <Credits id={id} mayChange={mayChange} />
        </div>
      </Columns>
    </>
  );
}

/** What the deletion takes, and what it leaves. */
function Remains({ customer: { id, order_count } }: { customer: CustomerDetail }) {
  const may = useMay();
  const subscriptions = useQuery({ ...activeSubscriptions(id), enabled: may('admin_api.subscriptions.read') });
  const active = subscriptions.data?.total ?? 0;
  return (
    <>
      <p>{t.remove.gone}</p>
      <p>{order_count > 0 ? t.remove.ordersStay(order_count) : t.remove.recordsStay}</p>
      {active > 0 ? (
        <Banner tone="need">
          <span>{t.remove.subscriptions(active)}</span>
          <Link to="/subscriptions" search={{ customer: id }}>
            {t.remove.showSubscriptions}
          </Link>
        </Banner>
      ) : null}
    </>
  );
}
