import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useShop } from '../../app/shop.ts';
import { taskRecord } from '../../app/tasks.ts';
import { reviewText as t } from '../../texts/en/review.ts';
import { tasksText } from '../../texts/en/tasks.ts';
import { SelectField } from '../../ui/field.tsx';
import { PageHead, Section, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SourceDiff } from '../../ui/source-diff.tsx';
import { Banner } from '../../ui/tabs.tsx';
import { momentText } from '../../ui/values.tsx';
import { TaskTabs } from './frame.tsx';
import { type TaskDetail, type VersionDetail, type VersionRow, versionRecord } from './queries.ts';
import { Decide } from './review-acts.tsx';
import { Decisions, Evidence } from './review-evidence.tsx';
import { ParameterChanges, PermissionChanges } from './review-permissions.tsx';
import './review.css';

const route = getRouteApi('/tasks/$id/versions/$v');

export function ReviewPage() {
  const params = route.useParams();
  const [id, v] = [Number(params.id), Number(params.v)];
  const task = useQuery(taskRecord(id));
  const version = useQuery(versionRecord(id, v));
  const error = task.error ?? version.error;
  if (!task.data || !version.data) {
    return error ? <Problem error={error} retry={() => void Promise.all([task.refetch(), version.refetch()])} /> : <Skeleton />;
  }
  return <Review key={v} detail={task.data.value} version={version.data} />;
}

type ReviewProps = { detail: TaskDetail; version: VersionDetail };

function Review({ detail, version }: ReviewProps) {
  const { task, versions } = detail;
  const { against } = route.useSearch();
  const queries = useQueryClient();
  // Set where the version turned out to be another than the one that was on the screen.
  const [seen, setSeen] = useState<VersionDetail | null>(null);
  const baseRow = versions.find(({ id }) => id === against) ?? baseOf(detail, version);
  const base = useQuery({ ...versionRecord(task.id, baseRow?.id ?? 0), enabled: baseRow !== undefined });
  // Until the other version is there, everything would look new, and nothing may be decided by that.
  const isCompared = baseRow === undefined || base.data !== undefined;
  // What was decided may change under the reader; source and permissions may not.
  const approval = versions.find(({ id }) => id === version.id)?.approval ?? version.approval;
  async function reload(): Promise<void> {
    setSeen(version);
    await queries.invalidateQueries({ queryKey: ['ai_tasks.get_version', task.id, version.id] });
  }
  return (
    <>
      <PageHead
        title={
          <>
            {task.name} <span className="muted">· {baseRow ? t.against(version.version, baseRow.version) : t.title(version.version)}</span>
          </>
        }
        note={<Note detail={detail} version={version} approval={approval} />}
      >
        {isCompared ? <Decide task={task} version={version} approval={approval} onChanged={() => void reload()} /> : null}
      </PageHead>
      <TaskTabs id={task.id} />
      {seen ? (
        <Banner tone="need">
          <span role="alert">
            <strong>{t.changed}</strong> {seen.source_sha256 === version.source_sha256 ? null : t.changedSource}
          </span>
        </Banner>
      ) : null}
      <Warnings version={version} />
      <div className="review">
        <div className="review-side">
          {isCompared ? (
            <>
              <PermissionChanges version={version} base={base.data ?? null} seen={seen} />
              <ParameterChanges version={version} base={base.data ?? null} />
            </>
          ) : base.error ? (
            <Problem error={base.error} retry={() => void base.refetch()} />
          ) : (
            <Skeleton />
          )}
          {version.note === null ? null : (
            <Section title={t.note}>
              <p className="author-note">{version.note}</p>
            </Section>
          )}
          <Evidence task={task} version={version} approval={approval} />
          <Decisions taskId={task.id} versionId={version.id} />
          <Section title={t.hash}>
            <code className="hash">{version.source_sha256}</code>
          </Section>
        </div>
        <Source versions={versions} version={version} base={base.data ?? null} baseRow={baseRow} seen={seen} />
      </div>
    </>
  );
}

function Note({ detail: { task, versions }, version, approval }: ReviewProps & { approval: VersionDetail['approval'] }) {
  const { timezone } = useShop();
  const current = versions.find(({ id }) => id === task.current_version_id);
  const author = version.created_by_name === null ? t.byDeleted : t.by(version.created_by_name);
  const state =
    approval === 'pending'
      ? current
        ? t.keepsRunning(current.version)
        : t.nothingRuns
      : version.id === task.current_version_id
        ? t.isCurrent
        : tasksText.page.approval[approval];
  return [author, momentText(version.created_at, timezone, 'minute'), state].join(' · ');
}

/** What a version is compared with: the version that runs, or, of one that was decided on, the one that ran before it. */
function baseOf({ task, versions }: TaskDetail, version: VersionDetail): VersionRow | undefined {
  const current = versions.find(({ id }) => id === task.current_version_id);
  if (version.approval === 'pending' && current) return current;
  return versions
    .filter((one) => one.version < version.version && (one.approval === 'approved' || one.approval === 'revoked'))
    .toSorted((a, b) => b.version - a.version)[0];
}

function Warnings({ version: { warnings } }: { version: VersionDetail }) {
  if (warnings.length === 0) return null;
  return (
    <Banner tone="fail">
      <div>
        <strong>{t.warnings}</strong>
        <ul>
          {warnings.map(({ line, column, message }) => (
            <li key={`${line}:${column} ${message}`}>{t.warning(line, column, message)}</li>
          ))}
        </ul>
      </div>
    </Banner>
  );
}

type SourceProps = {
  versions: readonly VersionRow[];
  version: VersionDetail;
  base: VersionDetail | null;
  baseRow: VersionRow | undefined;
  seen: VersionDetail | null;
};

function Source({ versions, version, base, baseRow, seen }: SourceProps) {
  const navigate = useNavigate();
  const others = versions.filter(({ id }) => id !== version.id);
  const before = seen && seen.source_sha256 !== version.source_sha256 ? seen.source_code : (base?.source_code ?? '');
  return (
    <section className="review-source">
      <div className="section-head">
        <h2>{t.source}</h2>
        {others.length === 0 || !baseRow ? null : (
          <SelectField
            label={t.compareWith}
            value={String(baseRow.id)}
            options={others.map((one) => [String(one.id), t.versionName(one.version)] as const)}
            onValue={(id) => void navigate({ to: '.', search: { against: Number(id) }, replace: true })}
          />
        )}
      </div>
      {base && before === version.source_code ? <p className="muted">{t.sameSource}</p> : null}
      {baseRow && !base ? <Skeleton /> : <SourceDiff label={t.source} before={before} after={version.source_code} />}
    </section>
  );
}
