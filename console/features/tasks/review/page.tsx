import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { isMarkWarning } from '../../../../contract/source-marks.ts';
import { momentText } from '../../../language/formats.ts';
import { useMe, useShop } from '../../../parts/shop.ts';
import { taskRecord } from '../../../parts/tasks.ts';
import { reviewText as t } from '../../../texts/review.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { PageHead, Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { TaskTabs } from '../frame.tsx';
import { type TaskDetail, type VersionDetail, type VersionRow, versionRecord } from '../queries.ts';
import { Decide } from './acts.tsx';
import { Decisions, Evidence } from './evidence.tsx';
import { type MarksInSight, useMarksInSight } from './marks-in-sight.ts';
import { ParameterChanges, PermissionChanges } from './permissions.tsx';
import { OtherComparison, Source } from './source.tsx';
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
  const baseRow = baseOf(detail, version);
  const base = useQuery({ ...versionRecord(task.id, baseRow?.id ?? 0), enabled: baseRow !== undefined });
  const page = useRef<HTMLDivElement>(null);
  const marks = useMarksInSight(page);
  // Until the other version is there, everything would look new, and nothing may be decided by that.
  const isCompared = baseRow === undefined || base.data !== undefined;
  // What was decided may change under the reader; source and permissions may not.
  const approval = versions.find(({ id }) => id === version.id)?.approval ?? version.approval;
  const answered = approval === 'pending' ? answeredBy(versions, version) : undefined;
  // Of what was handed in with its dry runs, the plan is read first.
  const evidenceFirst = version.evidence.length > 0;
  const evidence = <Evidence task={task} version={version} approval={approval} />;
  async function reload(): Promise<void> {
    setSeen(version);
    await queries.invalidateQueries({ queryKey: ['ai_tasks.get_version', task.id, version.id] });
  }
  return (
    <>
      <PageHead
        title={
          <>
            <MarkedText text={task.name} />{' '}
            <span className="muted">
              · {version.proposal ? t.toRunOnce : baseRow ? t.against(version.version, baseRow.version) : t.title(version.version)}
            </span>
          </>
        }
        note={<Note detail={detail} version={version} approval={approval} />}
      >
        {isCompared ? (
          <Decide task={task} version={version} approval={approval} areMarksSeen={marks.areSeen} onChanged={() => void reload()} />
        ) : null}
      </PageHead>
      {version.proposal ? null : <TaskTabs id={task.id} />}
      {seen ? (
        <Banner tone="need">
          <span role="alert">
            <strong>{t.changed}</strong> {seen.source_sha256 === version.source_sha256 ? null : t.changedSource}
          </span>
        </Banner>
      ) : null}
      {version.created_via === null ? null : (
        <Banner tone="need">
          <span>
            <strong>{version.created_via === 'assistant' ? t.byAssistant : t.byAgent}</strong> {t.byAgentDetail}
          </span>
        </Banner>
      )}
      {version.proposal ? (
        <Banner tone="dry">
          <span>
            <strong>{t.proposal}</strong> {t.proposalDetail}
          </span>
        </Banner>
      ) : null}
      <Requested task={task} version={version} approval={approval} />
      {answered ? <Answered taskId={task.id} row={answered} /> : null}
      <Warnings version={version} />
      <Marks marks={marks} isOpen={approval === 'pending'} />
      <div className="review" ref={page}>
        <div className="review-side" data-decided>
          {evidenceFirst ? evidence : null}
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
          {task.description === '' || baseRow ? null : (
            <Section title={t.taskDoes}>
              <p className="author-note">
                <MarkedText text={task.description} />
              </p>
            </Section>
          )}
          {version.note === null ? null : (
            <Section title={t.note}>
              <p className="author-note">
                <MarkedText text={version.note} />
              </p>
            </Section>
          )}
          {evidenceFirst ? null : evidence}
          <Decisions taskId={task.id} versionId={version.id} />
          <Section title={t.hash}>
            <code className="hash">{version.source_sha256}</code>
          </Section>
        </div>
        <div className="review-main">
          <Source
            taskId={task.id}
            version={version}
            base={base.data ?? null}
            baseRow={baseRow}
            seen={seen}
            mayComment={task.deleted_at === null}
          />
          <OtherComparison
            taskId={task.id}
            version={version}
            others={versions.filter(({ id }) => id !== version.id && id !== baseRow?.id)}
            answered={answered?.id}
            against={against}
          />
        </div>
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
  return <MarkedText text={[author, momentText(version.created_at, timezone, 'minute'), state].join(' · ')} />;
}

/**
 * What a version is decided on against: the version that runs, or nothing where none does. One that was decided on stands against the one
 * that ran before it. The address has no say in it: a link must not make look old what is new.
 */
function baseOf({ task, versions }: TaskDetail, version: VersionDetail): VersionRow | undefined {
  if (version.approval === 'pending') return versions.find(({ id }) => id === task.current_version_id);
  return versions
    .filter((one) => one.version < version.version && (one.approval === 'approved' || one.approval === 'revoked'))
    .toSorted((a, b) => b.version - a.version)[0];
}

/** The newest earlier version on which changes were requested: this one is its author's answer. */
function answeredBy(versions: readonly VersionRow[], { version }: VersionDetail): VersionRow | undefined {
  return versions.filter((one) => one.version < version && one.changes_requested).toSorted((a, b) => b.version - a.version)[0];
}

/** What was requested of the version before, for whoever looks whether it is done. */
function Answered({ taskId, row }: { taskId: number; row: VersionRow }) {
  const { data } = useQuery(versionRecord(taskId, row.id));
  const request = data?.change_request;
  if (!request) return null;
  return (
    <Banner
      tone="plain"
      act={<Button onClick={() => document.querySelector('.review-other')?.scrollIntoView({ block: 'start' })}>{t.showAnswer}</Button>}
    >
      <div>
        <strong>{t.requestedOf(request.admin_name ?? t.somebody, row.version)}</strong>
        <p className="author-note">
          <MarkedText text={request.comment} />
        </p>
      </div>
    </Banner>
  );
}

/** Where the source is not as it looks is marked in it. */
function Marks({ marks: { count, areSeen, show }, isOpen }: { marks: MarksInSight; isOpen: boolean }) {
  if (count === 0) return null;
  return (
    <Banner
      tone="need"
      act={
        <>
          <Button onClick={() => show('next')}>{t.nextMark}</Button>
          <Button onClick={() => show('last')}>{t.lastMark}</Button>
        </>
      }
    >
      <strong>{t.marks(count)}</strong> {t.marksDetail} {isOpen && !areSeen ? t.marksWait : null}
    </Banner>
  );
}

/** What somebody wants to be different before the version is approved. */
function Requested({
  task,
  version,
  approval,
}: Pick<TaskDetail, 'task'> & Pick<ReviewProps, 'version'> & { approval: VersionDetail['approval'] }) {
  const me = useMe();
  const { change_request: request } = version;
  if (request === null || approval !== 'pending') return null;
  const isMine = version.created_by === me.id;
  return (
    <Banner
      tone="need"
      act={
        isMine && task.deleted_at === null ? (
          <ButtonLink to="/tasks/$id/editor" params={{ id: String(task.id) }}>
            {t.writeNext}
          </ButtonLink>
        ) : undefined
      }
    >
      <div role="alert">
        <strong>{t.requested(request.admin_name ?? t.somebody)}</strong>
        <p className="author-note">
          <MarkedText text={request.comment} />
        </p>
        <p className="muted">{isMine ? t.waitsForYou : t.approveAnyway}</p>
      </div>
    </Banner>
  );
}

/** What the check found besides marks, which are shown in their places. */
function Warnings({ version }: { version: VersionDetail }) {
  const warnings = version.warnings.filter((one) => !isMarkWarning(one));
  if (warnings.length === 0) return null;
  return (
    <Banner tone="fail">
      <div>
        <strong>{t.warnings}</strong>
        <ul>
          {warnings.map(({ line, column, message }) => (
            <li key={`${line}:${column} ${message}`}>
              <MarkedText text={t.warning(line, column, message)} />
            </li>
          ))}
        </ul>
      </div>
    </Banner>
  );
}
