import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Notification } from '../../../contract/notifications.ts';
import { without } from '../../parts/search.ts';
import { MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { ToldLink } from '../../ui/told-link.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import type { ListProps } from './page.tsx';
import { calls, NOTIFICATIONS, notificationsPage } from './queries.ts';

const t = activityText.notifications;
const tones: Record<Notification['severity'], Tone> = { error: 'fail', warning: 'need', info: 'rest' };

/** What the shop tells its admins. Reading one is for oneself: others still see it as new. */
export function NotificationList({ search, go }: ListProps) {
  const queries = useQueryClient();
  const offset = search.offset ?? 0;
  const page = useQuery(notificationsPage(offset));
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ['notifications.list'] });
  const readAll = useMutation({ mutationFn: () => calls.notifications.mark_all_read(), onSettled: again });
  const read = useMutation({ mutationFn: ({ id, count }: Notification) => calls.notifications.mark_read(id, { count }), onSettled: again });
  if (!page.data) return page.error ? <Problem error={page.error} retry={() => void page.refetch()} /> : <Skeleton rows={12} />;
  const { notifications, unread_count } = page.data;
  return (
    <>
      <Toolbar>
        {unread_count > 0 ? <span role="status">{t.unread(unread_count)}</span> : null}
        {unread_count > 0 ? (
          <Button disabled={readAll.isPending} onClick={() => readAll.mutate()}>
            {t.readAll}
          </Button>
        ) : null}
      </Toolbar>
      {read.error ? <Problem error={read.error} /> : null}
      {notifications.length === 0 ? <Empty title={t.none} /> : null}
      <ul className="news">
        {notifications.map((one) => {
          // Read at once on the screen; the server's answer follows.
          const isRead = one.read || (read.isPending && read.variables.id === one.id);
          return (
            <li key={one.id} className={isRead ? 'news-row read' : 'news-row'}>
              <Status tone={tones[one.severity]}>{t.severity[one.severity]}</Status>
              <div className="news-text">
                <strong>
                  {one.title}
                  {t.times(one.count)}
                </strong>
                <p>{one.message}</p>
              </div>
              <Subject link={one.link} metadata={one.metadata} />
              <MutedMoment at={one.created_at} />
              {isRead ? <span /> : <Button onClick={() => read.mutate(one)}>{t.read}</Button>}
            </li>
          );
        })}
      </ul>
      <div className="pager">
        {offset > 0 ? (
          <Button onClick={() => go(offset > NOTIFICATIONS ? { ...search, offset: offset - NOTIFICATIONS } : without(search, 'offset'))}>
            {t.newer}
          </Button>
        ) : null}
        {notifications.length === NOTIFICATIONS ? (
          <Button onClick={() => go({ ...search, offset: offset + NOTIFICATIONS })}>{t.older}</Button>
        ) : null}
      </div>
    </>
  );
}

/** A way to what the notification is about, where it names it. Its own link comes first. */
function Subject({ link, metadata }: Pick<Notification, 'link' | 'metadata'>) {
  if (link !== null) return <ToldLink link={link}>{t.toLink}</ToldLink>;
  const order = metadata?.['order_id'];
  if (typeof order === 'number') {
    return (
      <Link to="/orders" search={{ open: order }}>
        {t.toOrder}
      </Link>
    );
  }
  const [task, run] = [metadata?.['task_id'], metadata?.['run_id']];
  if (typeof task === 'number' && typeof run === 'number') {
    return (
      <Link to="/tasks/$id/runs/$r" params={{ id: task, r: run }}>
        {t.toRun}
      </Link>
    );
  }
  const version = metadata?.['version_id'];
  if (typeof task === 'number' && typeof version === 'number') {
    return (
      <Link to="/tasks/$id/versions/$v" params={{ id: String(task), v: String(version) }}>
        {t.toReview}
      </Link>
    );
  }
  return <span />;
}
