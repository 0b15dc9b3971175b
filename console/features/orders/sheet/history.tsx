import { useQuery } from '@tanstack/react-query';
import type { AuditRow } from '../../../../contract/audit-log.ts';
import type { OrderEdit } from '../../../../contract/order-edits.ts';
import { useAdminName } from '../../../parts/admin-names.ts';
import { useMay } from '../../../parts/shop.ts';
import { MutedMoment, useMoney } from '../../../parts/values.tsx';
import { orderText } from '../../../texts/order.ts';
import { Change } from '../../../ui/change.tsx';
import { Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { orderAudit, orderEdits } from '../order-queries.ts';

const t = orderText.history;

/** What was done to the order, newest first: its edits with their summaries, and every other change from the audit log. */
export function History({ id, currency }: { id: number; currency: string }) {
  const may = useMay();
  const mayAudit = may('admin_api.logs.read');
  const edits = useQuery(orderEdits(id));
  const audit = useQuery({ ...orderAudit(id), enabled: mayAudit });
  const nameOf = useAdminName();
  const failure = edits.error ?? audit.error;
  if (edits.isPending || (mayAudit && audit.isPending)) return <Skeleton rows={4} />;
  const rows = [
    ...(edits.data ?? []).map((edit) => ({ key: `edit ${edit.id}`, at: edit.edited_at, edit, entry: null })),
    // An edit has an entry in the log, too; its summary says more.
    ...(audit.data?.data ?? [])
      .filter(({ action }) => action !== 'orders.edit')
      .map((entry) => ({ key: `entry ${entry.id}`, at: entry.at, edit: null, entry })),
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <Section title={t.title}>
      {failure ? <Problem error={failure} /> : null}
      {mayAudit ? null : <p className="muted">{t.editsOnly}</p>}
      {rows.length === 0 ? <p className="muted">{t.none}</p> : null}
      <ul>
        {rows.map(({ key, at, edit, entry }) => (
          <li key={key} className="history-row">
            <MutedMoment at={at} />
            {edit ? <Edit edit={edit} currency={currency} nameOf={nameOf} /> : <Entry entry={entry} nameOf={nameOf} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type NameOf = (id: number | null | undefined) => string | undefined;

function Edit({ edit, currency, nameOf }: { edit: OrderEdit; currency: string; nameOf: NameOf }) {
  const money = useMoney();
  const name = nameOf(edit.edited_by_shop_owner_id) ?? '…';
  const marks = [
    edit.edit_source === 'ai_task' ? t.byTask(name) : t.by(name),
    ...(edit.customer_notified ? [t.notified] : []),
    ...(edit.stock_override_used ? [t.overridden] : []),
  ];
  return (
    <div>
      <p>{edit.summary}</p>
      {edit.total_before_cents === edit.total_after_cents ? null : (
        <p>
          <Change before={money(edit.total_before_cents, currency)} after={money(edit.total_after_cents, currency)} />
        </p>
      )}
      {edit.payment_adjustment_note === '' ? null : <p>{edit.payment_adjustment_note}</p>}
      <p className="muted">{marks.join(' · ')}</p>
    </div>
  );
}

function Entry({ entry, nameOf }: { entry: AuditRow; nameOf: NameOf }) {
  const { type, id } = entry.actor;
  const name = nameOf(id);
  const by = type === 'system' ? t.system : type === 'task' ? t.byTask(name ?? t.task) : t.by(name ?? '…');
  return (
    <div>
      <p>{t.actions[entry.action] ?? entry.action}</p>
      {entry.action === 'orders.create' ? null : (
        <ul>
          {Object.entries(entry.changes).map(([field, [before, after]]) => (
            <li key={field}>
              <span className="muted">{field.replaceAll('_', ' ')}</span> <Change before={before} after={after} />
            </li>
          ))}
        </ul>
      )}
      <p className="muted">{by}</p>
    </div>
  );
}
