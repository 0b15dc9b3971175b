import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { blanks } from '../../parts/blanks.ts';
import { MailStatus, NoMailServer } from '../../parts/mail.tsx';
import { defined } from '../../parts/search.ts';
import { useMay, useShop } from '../../parts/shop.ts';
import { MutedMoment } from '../../parts/values.tsx';
import { activityText } from '../../texts/activity.ts';
import { mailText } from '../../texts/mail.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { List } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Pager, Toolbar } from '../../ui/toolbar.tsx';
import type { ListProps } from './page.tsx';
import { calls, mailsPage } from './queries.ts';

const t = activityText.mails;
const filters = ['all', 'queued', 'sent', 'failed'] as const;

/** Mails, without their content. */
export function MailList({ search, go }: ListProps) {
  const queries = useQueryClient();
  const { sends_mail: isSending } = useShop();
  const mayRetry = useMay()('admin_api.settings.write') && isSending;
  const page = useQuery(mailsPage(search));
  const status = filters.find((one) => one === search.status) ?? 'all';
  const retry = useMutation({
    mutationFn: (id: number) => calls.mails.retry(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mails.list'] }),
  });
  return (
    <>
      <Toolbar>
        <SelectField
          label={t.status}
          value={status}
          options={filters.map((one) => [one, one === 'all' ? t.allStatuses : mailText.statuses[one]] as const)}
          onValue={(one) => go(one === 'all' ? {} : { status: one })}
        />
      </Toolbar>
      <NoMailServer />
      {retry.error ? <Problem error={retry.error} /> : null}
      <List
        label={activityText.kinds.mails}
        query={{ ...page, data: page.data?.data }}
        idOf={({ id }) => id}
        nameOf={({ subject }) => subject}
        blank={blanks.mails}
        empty={t.none}
        dropFilters={status === 'all' ? undefined : () => go({})}
        columns={[
          {
            name: 'when',
            head: t.columns.when,
            cell: ({ created_at }) => <MutedMoment at={created_at} />,
            isMinor: true,
          },
          { name: 'to', head: t.columns.to, cell: ({ to_name, to_address }) => <span className="wrap">{to_name || to_address}</span> },
          {
            name: 'subject',
            head: t.columns.subject,
            cell: ({ subject, task_id, run_id }) => (
              <span className="wrap">
                {subject} {task_id === null || run_id === null ? null : <RunLink task={task_id} run={run_id} />}
              </span>
            ),
          },
          {
            name: 'status',
            head: t.columns.status,
            cell: ({ status: state, due_in_seconds, last_error }) => (
              <span className="wrap">
                <MailStatus status={state} />{' '}
                <span className="muted">{last_error ?? (due_in_seconds === null || !isSending ? '' : t.due(due_in_seconds))}</span>
              </span>
            ),
          },
          {
            name: 'act',
            head: <span className="visually-hidden">{t.columns.act}</span>,
            cell: ({ id, subject, status: state }) =>
              state === 'sent' || !mayRetry ? null : (
                <Button aria-label={t.retryNamed(subject)} disabled={retry.isPending} onClick={() => retry.mutate(id)}>
                  {t.retry}
                </Button>
              ),
            isMinor: true,
          },
        ]}
      />
      <Pager cursor={search.cursor} next={page.data?.next_cursor} go={(cursor) => go(defined({ ...search, cursor }))} />
    </>
  );
}

/** A way to the run that wrote the mail. */
function RunLink({ task, run }: { task: number; run: number }) {
  return (
    <Link to="/tasks/$id/runs/$r" params={{ id: task, r: run }}>
      {t.byRun(run)}
    </Link>
  );
}
