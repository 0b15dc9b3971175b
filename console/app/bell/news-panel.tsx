import { Popover, PopoverHeading } from '@ariakit/react';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Notification } from '../../../contract/notifications.ts';
import { useNews, useReadNews } from '../../parts/news.ts';
import { NewsLink } from '../../parts/news-link.tsx';
import { newsWords } from '../../parts/news-words.ts';
import { MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useModal, useShortcuts } from '../../ui/shortcuts.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import './news-panel.css';

const t = activityText.notifications;
const tones: Record<Notification['severity'], Tone> = { error: 'fail', warning: 'need', info: 'rest' };

/** The newest notifications. What is seen is read; it stays marked as new until the panel is closed. */
export function NewsPanel({ close }: { close(): void }) {
  useModal();
  return (
    <Popover className="menu news-panel" gutter={6} overflowPadding={8} portal unmountOnHide hideOnEscape={false} aria-label={t.title}>
      <Panel close={close} />
    </Popover>
  );
}

function Panel({ close }: { close(): void }) {
  const news = useNews();
  const { read, readAll } = useReadNews();
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  useShortcuts({ b: close, escape: close });
  const seen = (one: Notification): void => {
    setFresh((before) => new Set(before).add(one.id));
    read.mutate(one);
  };
  /** A page that was opened by a link here is what is looked at now. */
  const follow = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('a')) close();
  };
  const rows = news.data?.notifications ?? [];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it are what is clicked
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div className="news-frame" onClick={follow}>
      <div className="news-head">
        <PopoverHeading className="news-title">{t.title}</PopoverHeading>
        {(news.data?.unread_count ?? 0) > 0 ? (
          <Button kind="quiet" disabled={readAll.isPending} onClick={() => readAll.mutate()}>
            {t.readAll}
          </Button>
        ) : null}
      </div>
      <div className="news-rows">
        {news.data ? null : news.error ? <Problem error={news.error} retry={() => void news.refetch()} /> : <Skeleton rows={6} />}
        {news.data && rows.length === 0 ? <p className="muted news-none">{t.none}</p> : null}
        <ul aria-label={t.title}>
          {rows.map((one) => (
            <Row key={`${one.id} ${one.count}`} one={one} isNew={!one.read || fresh.has(one.id)} seen={() => seen(one)} />
          ))}
        </ul>
      </div>
      <div className="news-foot">
        <Link to="/activity/$kind" params={{ kind: 'notifications' }}>
          {t.all}
        </Link>
      </div>
    </div>
  );
}

function Row({ one, isNew, seen }: { one: Notification; isNew: boolean; seen(): void }) {
  const { title, message } = newsWords(one);
  const row = useRef<HTMLLIElement>(null);
  const onSeen = useEffectEvent(seen);
  const isRead = one.read;
  useEffect(() => {
    if (isRead || !row.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        onSeen();
      },
      { threshold: 0.5 },
    );
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [isRead]);
  return (
    <li ref={row} className={isNew ? 'told new' : 'told'}>
      {one.severity === 'info' ? null : <Status tone={tones[one.severity]}>{t.severity[one.severity]}</Status>}
      <NewsLink {...one} className="told-title">
        {title}
        {t.times(one.count)}
      </NewsLink>
      <MutedMoment at={one.created_at} />
      <p className="told-message">{message}</p>
      {isNew ? <span className="told-new">{t.isNew}</span> : null}
    </li>
  );
}
