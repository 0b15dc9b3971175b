import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AuditRow } from '../../../contract/audit-log.ts';
import { useAdminName } from '../../parts/admin-names.ts';
import { blanks } from '../../parts/blanks.ts';
import { defined, without } from '../../parts/search.ts';
import { TakeBack } from '../../parts/timeline/take-back.tsx';
import { MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { kindText } from '../../texts/kinds.ts';
import { undoEntryText } from '../../texts/undo-entry.ts';
import { Change } from '../../ui/change.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { List } from '../../ui/list.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Pager, SearchField, Toolbar } from '../../ui/toolbar.tsx';
import type { ListProps } from './page.tsx';
import { auditPage } from './queries.ts';

const t = activityText.audit;
const CHANGES_SHOWN = 4;

/** Every write with its values before and after. */
export function AuditList({ search, go }: ListProps) {
  const page = useQuery(auditPage(search));
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  const nameOf = useAdminName();
  const set = (next: object): void => go(defined({ ...without(search, 'cursor'), ...next }));
  const isFiltered = Object.keys(without(search, 'cursor')).length > 0;
  return (
    <>
      <Toolbar>
        <SearchField
          field={field}
          label={t.filters.action}
          value={search.action ?? ''}
          set={(action) => set({ action: action || undefined })}
        />
        <SearchField label={t.filters.type} value={search.type ?? ''} set={(type) => set({ type: type || undefined })} />
        <SearchField
          label={t.filters.id}
          value={search.id === undefined ? '' : String(search.id)}
          set={(id) => set({ id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined })}
        />
        <DateField label={t.filters.from} value={search.from ?? ''} onValue={(from) => set({ from: from || undefined })} />
        <DateField label={t.filters.to} value={search.to ?? ''} onValue={(to) => set({ to: to || undefined })} />
      </Toolbar>
      <List
        label={activityText.kinds.audit}
        query={{ ...page, data: page.data?.data }}
        idOf={({ id }) => id}
        nameOf={({ action }) => action}
        blank={blanks.audit}
        empty={t.none}
        dropFilters={isFiltered ? () => go({}) : undefined}
        columns={[
          {
            name: 'when',
            head: t.columns.when,
            cell: ({ at }) => <MutedMoment at={at} kind="second" />,
          },
          {
            name: 'who',
            head: t.columns.who,
            cell: ({ actor }) => (
              <>
                {nameOf(actor.id) ?? (actor.id === null ? t.system : `#${actor.id}`)}
                {actor.run_id === null ? null : (
                  <span className="muted">
                    {' '}
                    · {activityText.log.run} {actor.run_id}
                  </span>
                )}
              </>
            ),
          },
          { name: 'what', head: t.columns.what, cell: (row) => <What row={row} /> },
          {
            name: 'on',
            head: t.columns.on,
            cell: recordOf,
            isMinor: true,
          },
          { name: 'changes', head: t.columns.changes, cell: (row) => <Changes row={row} />, isBelow: true },
          {
            name: 'undo',
            head: t.columns.undo,
            cell: (row) =>
              row.may_undo ? (
                <span className="audit-act">
                  <TakeBack entryId={row.id} what={`${row.action}, ${recordOf(row)}`} />
                </span>
              ) : null,
          },
        ]}
      />
      <Pager cursor={search.cursor} next={page.data?.next_cursor} go={(cursor) => go(defined({ ...search, cursor }))} />
    </>
  );
}

/** The act, and which entry it took back. */
function What({ row: { action, undo_of_entry_id: undone } }: { row: AuditRow }) {
  return (
    <>
      <code>{action}</code>
      {undone === null ? null : <span className="audit-undo muted">{undoEntryText.undoOf}</span>}
    </>
  );
}

function recordOf({ resource: { type, id } }: AuditRow): string {
  return `${t.records[type] ?? kindText(type)}${id === null ? '' : ` ${id}`}`;
}

function Changes({ row }: { row: AuditRow }) {
  const changes = Object.entries(row.changes);
  return (
    <span className="wrap">
      {changes.slice(0, CHANGES_SHOWN).map(([name, [before, after]]) => (
        <span key={name} className="audit-change">
          <span className="muted">{name}</span> <Change before={before} after={after} />
        </span>
      ))}
      {changes.length > CHANGES_SHOWN ? <span className="muted">{t.more(changes.length - CHANGES_SHOWN)}</span> : null}
    </span>
  );
}
