import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { permissionText } from '../../../texts/permissions.ts';
import { reviewText as t } from '../../../texts/review.ts';
import { SelectField } from '../../../ui/field.tsx';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { SourceDiff } from '../../../ui/source-diff.tsx';
import { type VersionDetail, type VersionRow, versionRecord } from '../queries.ts';
import { useThreads } from './comments.ts';
import { declaredBy } from './permissions.tsx';
import { useLineNotes } from './threads.tsx';

type SourceProps = {
  taskId: number;
  version: VersionDetail;
  base: VersionDetail | null;
  baseRow: VersionRow | undefined;
  seen: VersionDetail | null;
  mayComment: boolean;
};

/** The source against that of the version which runs. */
export function Source({ taskId, version, base, baseRow, seen, mayComment }: SourceProps) {
  const { threads, error } = useThreads(taskId, version);
  const notes = useLineNotes({ taskId, version, threads, mayWrite: mayComment });
  const open = threads.filter(({ first }) => first.resolved_at === null).length;
  const before = seen && seen.source_sha256 !== version.source_sha256 ? seen.source_code : (base?.source_code ?? '');
  return (
    <section className="review-source" data-decided>
      <div className="section-head">
        <h2>{t.source}</h2>
        {open === 0 ? null : <span className="tag need">{t.comments.open(open)}</span>}
      </div>
      {error ? <Problem error={error} /> : null}
      {base ? <Same before={before} after={version.source_code} /> : null}
      {baseRow && !base ? <Skeleton /> : <SourceDiff label={t.source} before={before} after={version.source_code} notes={notes} />}
      {mayComment ? <p className="muted">{t.commentHint}</p> : null}
    </section>
  );
}

/** Line ends of the usual kinds are not shown. */
function Same({ before, after }: { before: string; after: string }) {
  const isSame = before === after;
  const hasSameLines = before.replaceAll('\r\n', '\n') === after.replaceAll('\r\n', '\n');
  return hasSameLines ? <p className="muted">{isSame ? t.sameSource : t.sameLines}</p> : null;
}

type OtherProps = {
  taskId: number;
  version: VersionDetail;
  others: readonly VersionRow[];
  /** The version on which changes were requested, with which it is compared where the address names none. */
  answered: number | undefined;
  against: number | undefined;
};

/** A comparison with any other version, which the address may name. Nothing is decided by it, so it stands apart. */
export function OtherComparison({ taskId, version, others, answered, against = answered }: OtherProps) {
  const navigate = useNavigate();
  const chosen = others.find(({ id }) => id === against);
  const go = (id: string): void => void navigate({ to: '.', search: id === '' ? {} : { against: Number(id) }, replace: true });
  if (others.length === 0) return null;
  const options = [
    ...(answered === undefined ? [['', t.noOther] as const] : []),
    ...others.map(({ id, version: number }) => [String(id), t.versionName(number)] as const),
  ];
  return (
    <section className="review-other" aria-label={t.other}>
      <div className="section-head">
        <h2>{t.other}</h2>
        <SelectField label={t.compareWith} value={chosen ? String(chosen.id) : ''} options={options} onValue={go} />
      </div>
      {chosen ? <Compared taskId={taskId} version={version} chosen={chosen} /> : null}
    </section>
  );
}

function Compared({ taskId, version, chosen }: { taskId: number; version: VersionDetail; chosen: VersionRow }) {
  const other = useQuery(versionRecord(taskId, chosen.id));
  if (!other.data) return other.error ? <Problem error={other.error} retry={() => void other.refetch()} /> : <Skeleton />;
  const [now, there] = [declaredBy(version), declaredBy(other.data)];
  const tasks = [...version.may_start_tasks, ...other.data.may_start_tasks];
  const lists = [
    [t.onlyThis(version.version, chosen.version), now.filter((one) => !there.includes(one))],
    [t.onlyThis(chosen.version, version.version), there.filter((one) => !now.includes(one))],
  ] as const;
  return (
    <>
      <p>
        <span className="tag need">{t.notDecided}</span> {t.otherDetail}
      </p>
      {lists.map(([label, permissions]) =>
        permissions.length === 0 ? null : (
          <p key={label}>
            {label} <MarkedText text={permissions.map((one) => permissionText(one, tasks)).join(', ')} />
          </p>
        ),
      )}
      <SourceDiff label={t.otherSource(version.version, chosen.version)} before={other.data.source_code} after={version.source_code} />
    </>
  );
}
