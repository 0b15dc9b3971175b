import { useQuery } from '@tanstack/react-query';
import type { Notification } from '../../../contract/notifications.ts';
import { blanks } from '../../parts/blanks.ts';
import { useMarked, useReadNews } from '../../parts/news.ts';
import { NewsLink } from '../../parts/news-link.tsx';
import { newsWords } from '../../parts/news-words.ts';
import { without } from '../../parts/search.ts';
import { MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import type { ListProps } from './page.tsx';
import { NOTIFICATIONS, notificationsPage } from './queries.ts';

const t = activityText.notifications;
const tones: Record<Notification['severity'], Tone> = { error: 'fail', warning: 'need', info: 'rest' };

/** What the shop tells its admins. Reading one is for oneself: others still see it as new. */
export function NotificationList({ search, go }: ListProps) {
  const offset = search.offset ?? 0;
  const page = useQuery(notificationsPage(offset));
  const shown = useMarked(page.data);
  const { read, readAll } = useReadNews();
  if (!shown) return page.error ? <Problem error={page.error} retry={() => void page.refetch()} /> : <Skeleton rows={12} />;
  const { notifications, unread_count } = shown;
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
      {notifications.length === 0 ? <Empty {...blanks.notifications} title={t.none} /> : null}
      <ul className="news">
        {notifications.map((one) => (
          <Row key={one.id} one={one} onRead={() => read.mutate(one)} />
        ))}
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

function Row({ one, onRead }: { one: Notification; onRead(): void }) {
  const { title, message } = newsWords(one);
  return (
    <li className={one.read ? 'news-row read' : 'news-row'}>
      <Status tone={tones[one.severity]}>{t.severity[one.severity]}</Status>
      <div className="news-text">
        <strong>
          {title}
          {t.times(one.count)}
        </strong>
        <p>{message}</p>
      </div>
      <NewsLink {...one} />
      <MutedMoment at={one.created_at} />
      {one.read ? <span /> : <Button onClick={onRead}>{t.read}</Button>}
    </li>
  );
}
