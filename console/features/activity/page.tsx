import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../parts/shop.ts';
import { activityText as t } from '../../texts/activity.ts';
import { Empty } from '../../ui/empty.tsx';
import { PageHead } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AuditList } from './audit.tsx';
import { DeliveryList } from './deliveries.tsx';
import { LogList } from './log.tsx';
import { MailList } from './mails.tsx';
import { NotificationList } from './notifications.tsx';
import type { ActivitySearch } from './search.ts';
import './page.css';

const route = getRouteApi('/activity/$kind');

type Kind = keyof typeof t.kinds;

/** Who may see which list; one without a permission is everybody's. */
const needed: Record<Kind, string | null> = {
  notifications: null,
  log: 'admin_api.logs.read',
  audit: 'admin_api.logs.read',
  mails: 'admin_api.logs.read',
  deliveries: 'admin_api.webhooks.read',
};

export type ListProps = { search: ActivitySearch; go(search: ActivitySearch): void };

const lists: Record<Kind, (props: ListProps) => React.ReactNode> = {
  notifications: NotificationList,
  log: LogList,
  audit: AuditList,
  mails: MailList,
  deliveries: DeliveryList,
};

/** What happened: told to the admins, logged, changed, mailed, sent to others. */
export function ActivityPage() {
  const { kind } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const shown = Object.keys(t.kinds)
    .filter(isKind)
    .filter((name) => needed[name] === null || may(needed[name]));
  const open = shown.find((name) => name === kind);
  const Shown = open === undefined ? null : lists[open];
  return (
    <>
      <PageHead title={t.title} />
      <Tabs
        label={t.title}
        tabs={shown.map((name) => ({ name, label: t.kinds[name] }))}
        open={open ?? 'notifications'}
        go={(name) => void navigate({ to: '/activity/$kind', params: { kind: name }, search: {} })}
      />
      {Shown === null ? (
        <Empty drawing="lock" title={t.noKind} />
      ) : (
        <Shown search={search} go={(next) => void navigate({ search: next })} />
      )}
    </>
  );
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(t.kinds, name);
}
