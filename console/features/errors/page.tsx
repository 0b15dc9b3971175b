import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import type { TaskError } from '../../../contract/task-errors.ts';
import type { Tagged } from '../../api/client.ts';
import { countText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { endWords, StartedBy } from '../../parts/run-status.tsx';
import { useMay } from '../../parts/shop.ts';
import { useReloadTasks } from '../../parts/tasks.ts';
import { Moment } from '../../parts/values.tsx';
import { errorsText as t } from '../../texts/errors.ts';
import { runPartsText } from '../../texts/run-parts.ts';
import { Button } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import { Facts, PageHead, Section, Sentence, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { Column } from '../../ui/table.tsx';
import { Banner } from '../../ui/tabs.tsx';
import { Days } from './days.tsx';
import { errorRecord, setState } from './queries.ts';
import './page.css';

type Detail = ResponseOf<Endpoints['ai_tasks.get_error']>;
const route = getRouteApi('/errors/$id');

export function ErrorPage() {
  const id = Number(route.useParams().id);
  const record = useQuery(errorRecord(id));
  if (!record.data) return record.error ? <Problem error={record.error} retry={() => void record.refetch()} /> : <Skeleton />;
  return <ErrorView key={id} record={record.data} />;
}

function ErrorView({ record: { value: error, etag } }: { record: Tagged<Detail> }) {
  const navigate = useNavigate();
  const title = error.message ?? (error.withheld.length > 0 ? t.title : t.noMessage);
  return (
    <>
      <PageHead
        title={title}
        note={
          <Link to="/tasks/$id" params={{ id: String(error.task_id) }}>
            {error.task_name}
          </Link>
        }
      >
        <Acts error={error} etag={etag} />
      </PageHead>
      <State error={error} />
      <div className="error-page">
        <div>
          {error.withheld.length > 0 ? <p className="muted">{t.withheld}</p> : null}
          {error.error_message === null ? null : (
            <Section title={t.message}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is higher than its place is scrolled by keys, too */}
              <pre className="error-message" tabIndex={0}>
                {error.error_message}
              </pre>
            </Section>
          )}
          <Section title={t.runs}>
            <List
              label={t.runs}
              query={{ data: error.runs, error: null, isPending: false, refetch: async () => undefined }}
              columns={columns}
              idOf={({ id }) => id}
              nameOf={({ id }) => t.run(id)}
              onOpen={({ id }) => void navigate({ to: '/tasks/$id/runs/$r', params: { id: error.task_id, r: id } })}
              blank={blanks.ofRun}
              empty={t.noMessage}
            />
          </Section>
        </div>
        <Section title={t.about}>
          <Days days={error.days} />
          <Facts facts={factsOf(error)} />
        </Section>
      </div>
    </>
  );
}

/** The acts that lead to the other states. */
function Acts({ error: { id, state }, etag }: { error: Detail; etag: string | undefined }) {
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  const reload = useReloadTasks();
  const change = useMutation({ mutationFn: (to: TaskError['state']) => setState(id, to, etag), onSettled: reload });
  const acts = mayWrite ? actsOf(state) : [];
  useShortcuts(Object.fromEntries(acts.map(({ to, name, keys }) => [keys, { name, act: () => change.mutate(to) }])));
  return (
    <>
      {acts.map(({ to, name, keys }, at) => (
        <Button key={to} kind={at === 0 ? 'first' : 'plain'} keys={keys} disabled={change.isPending} onClick={() => change.mutate(to)}>
          {name}
        </Button>
      ))}
      {change.error ? <Problem error={change.error} /> : null}
    </>
  );
}

const all = [
  { to: 'resolved', name: t.resolve, keys: 'e' },
  { to: 'ignored', name: t.ignore, keys: 'i' },
  { to: 'open', name: t.reopen, keys: 'o' },
] as const;

const actsOf = (state: TaskError['state']) => (state === 'open' ? all.slice(0, 2) : all.slice(2));

function State({ error }: { error: Detail }) {
  if (error.state === 'ignored') return <Banner tone="plain">{t.isIgnored}</Banner>;
  if (error.state === 'resolved' && error.resolved_in_version !== null)
    return <Banner tone="done">{t.resolvedIn(error.resolved_in_version)}</Banner>;
  if (error.returned_at === null) return null;
  return (
    <Banner tone="need">
      <span>
        <Sentence words={t.cameBack} parts={[<Moment key="at" at={error.returned_at} />]} />
      </span>
    </Banner>
  );
}

function factsOf(error: Detail) {
  const { facts } = t;
  return [
    [facts.count, countText(error.count)],
    [facts.reason, endWords(error.end_reason) ?? runPartsText.status[error.status] ?? error.status],
    [facts.first, <Moment key="first" at={error.first_seen_at} />],
    [facts.last, <Moment key="last" at={error.last_seen_at} />],
    [
      facts.versions,
      <ul key="versions">
        {error.versions.map(({ version_id, version, count }) => (
          <li key={version_id}>
            <Link to="/tasks/$id/versions/$v" params={{ id: String(error.task_id), v: String(version_id) }}>
              {t.version(version, count)}
            </Link>
          </li>
        ))}
      </ul>,
    ],
    [
      facts.example,
      <Link key="run" to="/tasks/$id/runs/$r" params={{ id: error.task_id, r: error.run_id }}>
        {t.run(error.run_id)}
      </Link>,
    ],
  ] as const;
}

const columns: Column<Detail['runs'][number]>[] = [
  { name: 'run', head: t.runColumns.run, cell: ({ id }) => <data value={id}>{id}</data> },
  { name: 'status', head: t.runColumns.status, cell: ({ status }) => runPartsText.status[status] ?? status },
  { name: 'version', head: t.runColumns.version, cell: ({ version }) => version, isNumber: true, isMinor: true },
  { name: 'started', head: t.runColumns.started, cell: ({ started_at }) => <Moment at={started_at} /> },
  { name: 'by', head: t.runColumns.by, cell: ({ started_by }) => <StartedBy by={started_by} />, isMinor: true },
];
