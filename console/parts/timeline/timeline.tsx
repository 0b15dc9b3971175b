import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TimelineEntry } from '../../../contract/timeline.ts';
import { dateText, momentText } from '../../language/formats.ts';
import { timelineText as t } from '../../texts/timeline.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { PathLink } from '../../ui/path-link.tsx';
import { useMay, useShop } from '../shop.ts';
import { Changes } from './changes.tsx';
import { Comment, NewComment } from './comments.tsx';
import { Facts } from './facts.tsx';
import { filtersOf, permissionOf, type TimelineFilter, type TimelineOf, timelineQuery } from './queries.ts';
import { TakeBack } from './take-back.tsx';
import './timeline.css';

const icons: Record<TimelineEntry['kind'], IconName> = {
  comment: 'inquiries',
  change: 'activity',
  payment: 'taxRates',
  shipment: 'shippingMethods',
  mail: 'pages',
  access: 'accessGroups',
  credit: 'vouchers',
  file: 'files',
  order: 'orders',
  inquiry: 'inquiries',
  subscription: 'subscriptions',
};

type Props = {
  of: TimelineOf;
  id: number;
  /** Whether the caller may comment. */
  mayChange: boolean;
  /** Of an order: what its amounts are in. */
  currency?: string;
};

/** What an order or a customer went through, by day and newest first, and the place to write something down. */
export function Timeline({ of, id, mayChange, currency }: Props) {
  const may = useMay();
  const [kind, setKind] = useState<TimelineFilter | undefined>(undefined);
  const timeline = useInfiniteQuery(timelineQuery(of, id, kind));
  const entries = timeline.data?.pages.flatMap(({ data }) => data);
  const filters = filtersOf[of].filter((one) => may(permissionOf[one] ?? `admin_api.${of}s.read`));
  return (
    <Section title={t.title}>
      {mayChange ? <NewComment of={of} id={id} /> : null}
      <fieldset className="timeline-filters" aria-label={t.filter}>
        {[undefined, ...filters].map((one) => (
          <button key={one ?? 'all'} type="button" className="timeline-filter" aria-pressed={kind === one} onClick={() => setKind(one)}>
            {one === undefined ? t.all : t.kinds[one]}
          </button>
        ))}
      </fieldset>
      {may('admin_api.logs.read') ? null : <p className="muted">{t.noLog}</p>}
      <Loaded query={{ ...timeline, data: entries }} rows={4}>
        {(shown) => (
          <>
            {shown.length === 0 ? <p className="muted">{t.none}</p> : null}
            <Days of={of} id={id} mayChange={mayChange} currency={currency} entries={shown} />
          </>
        )}
      </Loaded>
      {timeline.hasNextPage ? (
        <Button kind="quiet" disabled={timeline.isFetchingNextPage} onClick={() => void timeline.fetchNextPage()}>
          {t.older}
        </Button>
      ) : null}
    </Section>
  );
}

type ShownProps = Omit<Props, 'currency'> & { currency: string | undefined };

function Days({ entries, ...shared }: ShownProps & { entries: readonly TimelineEntry[] }) {
  const { timezone } = useShop();
  const days = Map.groupBy(entries, ({ at }) => momentText(at, timezone, 'day'));
  return [...days].map(([day, ofDay]) => (
    <section key={day} className="timeline-day" aria-label={day}>
      <h3>{day}</h3>
      <ol>
        {ofDay.map((entry) => (
          <Entry key={`${entry.action} ${entry.id}`} {...shared} entry={entry} />
        ))}
      </ol>
    </section>
  ));
}

function Entry({ entry, of, id, mayChange, currency }: ShownProps & { entry: TimelineEntry }) {
  const { timezone } = useShop();
  const { at, action, kind, comment, changes, note } = entry;
  return (
    <li className="timeline-entry" data-kind={kind}>
      <span className="timeline-icon">
        <Icon name={icons[kind]} />
      </span>
      <div className="timeline-body">
        <p className="timeline-head">
          <span>
            <strong>{t.actions[action] ?? action}</strong>{' '}
            <span className="muted">
              <By actor={entry.actor} />
            </span>
            {comment?.edited_at ? <span className="muted"> · {t.comment.edited}</span> : null}
          </span>
          <time className="muted" dateTime={at} title={momentText(at, timezone, 'second')}>
            {dateText(new Date(at), { timeZone: timezone, hour: '2-digit', minute: '2-digit' })}
          </time>
        </p>
        {comment ? <Comment of={of} id={id} entry={entry} mayChange={mayChange} /> : <Facts entry={entry} currency={currency} />}
        {entry.edit ? null : <Changes changes={changes} currency={currency} />}
        {note === null ? null : <p className="written muted">{note}</p>}
        {mayChange ? <Acts entry={entry} currency={currency} /> : null}
      </div>
    </li>
  );
}

/** An edit of a person can be taken back here; what a run did is taken back with the run. */
function Acts({ entry: { action, actor, changes, edit, entry_id }, currency }: { entry: TimelineEntry; currency: string | undefined }) {
  if (entry_id === null || actor?.type !== 'admin' || (!edit && Object.keys(changes).length === 0)) return null;
  return (
    <div className="acts timeline-acts">
      <TakeBack entryId={entry_id} what={t.actions[action] ?? action} currency={currency} />
    </div>
  );
}

/** Who did it. */
function By({ actor }: { actor: TimelineEntry['actor'] }) {
  if (!actor) return null;
  const { type, name, run_id, task_id, task_name } = actor;
  if (type === 'customer' || type === 'system') return t.by[type];
  if (type !== 'task') return name ?? t.by.unknown;
  return (
    <>
      {task_name ?? t.by.task}
      {run_id === null ? null : (
        <>
          {', '}
          {task_id === null ? t.by.run(run_id) : <PathLink to={`/tasks/${task_id}/runs/${run_id}`}>{t.by.run(run_id)}</PathLink>}
        </>
      )}
      {name === null ? null : ` ${t.by.for(name)}`}
    </>
  );
}
