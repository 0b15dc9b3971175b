import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import type { UndoRow } from '../../../../contract/undo.ts';
import { ApiError, once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { wordsOfRun } from '../../../parts/run-status.tsx';
import { isSecondPersons, useSecondPerson } from '../../../parts/second-person.tsx';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { approvalsText } from '../../../texts/approvals.ts';
import { undoText } from '../../../texts/undo.ts';
import { Button } from '../../../ui/button.tsx';
import { valueText } from '../../../ui/change.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Status } from '../../../ui/status.tsx';
import { Banner, Refusal } from '../../../ui/tabs.tsx';
import { applyRun, planUndo } from '../queries.ts';

const t = undoText.plan;
const names = undoText.conflict;

type Props = {
  run: Run;
  undoneId: number;
  all: readonly UndoRow[];
  chosen: readonly UndoRow[];
  /** Exactly the rows that are ready are chosen. */
  isAll: boolean;
};

/** How many of the writes are chosen, with the act that takes them back after it was confirmed. */
export function ApplyUndo({ run, undoneId, all, chosen, isAll }: Props) {
  const key = useRetryKey();
  const navigate = useNavigate();
  const reload = useReloadTasks();
  const [isAsking, setAsking] = useState(false);
  const rows = isAll ? undefined : chosen.map(({ position }) => position);
  const apply = useMutation({
    mutationFn: () => applyRun(run.task_id, run.id, once(key.of(['apply', run.id, rows])), rows),
    onSuccess({ run_id: applied }) {
      key.spend();
      void navigate({ to: '/tasks/$id/runs/$r', params: { id: run.task_id, r: applied }, search: { tab: 'effects' } });
    },
    onError: () => setAsking(false),
    onSettled: reload,
  });
  const isRefused = apply.error instanceof ApiError && refusals.includes(apply.error.code);
  const second = useSecondPerson({ run, mayApply: true, isOver: isRefused, error: apply.error, forget: apply.reset });
  const canApply = chosen.length > 0 && !isRefused && !second.isOthers;
  useShortcuts(canApply && !isAsking ? { 'mod+enter': () => setAsking(true) } : {});
  const canAny = all.some(({ choosable }) => choosable);
  const changed = chosen.filter(({ state }) => state === 'conflict').length;
  return (
    <>
      <Banner
        tone="dry"
        act={
          canAny ? (
            <>
              {second.act}
              {second.isOthers ? null : (
                <Button kind="first" keys="mod+enter" disabled={!canApply} onClick={() => setAsking(true)}>
                  {t.apply}
                </Button>
              )}
            </>
          ) : undefined
        }
      >
        <Status tone="dry">{wordsOfRun(run)}</Status>
        <span>{t.of(undoneId)}</span>
        <span aria-live="polite">{canAny ? t.chosen(chosen.length, all.length) : t.nothing}</span>
        {second.words}
      </Banner>
      {apply.error ? <Refused error={apply.error} run={run} undoneId={undoneId} all={all} /> : null}
      {isAsking ? (
        <Confirm
          title={undoText.confirm.title(chosen.length, undoneId)}
          act={undoText.confirm.act}
          isBusy={apply.isPending}
          onAct={() => apply.mutate()}
          close={() => setAsking(false)}
        >
          <p>{undoText.confirm.detail}</p>
          {changed > 0 ? <p className="warning">{undoText.confirm.conflicts(changed)}</p> : null}
          {all.length > chosen.length ? <p className="muted">{undoText.confirm.left(all.length - chosen.length)}</p> : null}
        </Confirm>
      ) : null}
    </>
  );
}

/** After these the same plan can never be applied. */
const refusals: readonly string[] = ['plan_outdated', 'not_applicable'];

type RefusedProps = { error: Error; run: Run; undoneId: number; all: readonly UndoRow[] };

/** Why nothing was taken back: the first thing that is not as it was planned, with the act that plans it anew. */
function Refused({ error, run, undoneId, all }: RefusedProps) {
  const key = useRetryKey();
  const navigate = useNavigate();
  const reload = useReloadTasks();
  // A plan of the same writes; those of other runs came by the lineage.
  const isLineage = all.some(({ run_id }) => run_id !== undoneId);
  const plan = useMutation({
    mutationFn: () =>
      planUndo(
        run.task_id,
        undoneId,
        isLineage ? { lineage: true } : { effects: all.map(({ call }) => call) },
        once(key.of(['plan', run.id])),
      ),
    onSuccess({ run_id: planned }) {
      key.spend();
      void reload();
      void navigate({ to: '/tasks/$id/runs/$r', params: { id: run.task_id, r: planned } });
    },
  });
  if (isSecondPersons(error)) return <Refusal>{approvalsText.planRefusals.second_person_required}</Refusal>;
  if (!(error instanceof ApiError) || !refusals.includes(error.code)) return <Problem error={error} />;
  const difference = error.code === 'plan_outdated' ? differenceOf(error.problem) : null;
  const again = (
    <Button disabled={plan.isPending} onClick={() => plan.mutate()}>
      {t.fresh}
    </Button>
  );
  return (
    <>
      <Refusal act={again}>
        <Status tone="need">{error.code === 'plan_outdated' ? t.outdated : t.notApplicable}</Status>
        {difference ? (
          <>
            <code>{difference.call}</code>
            <span>
              <span className="muted">{difference.field ?? names.whole}</span> {names.before} {valueText(difference.before)} · {names.run}{' '}
              {valueText(difference.run)} · {names.now} <strong>{valueText(difference.now)}</strong>
            </span>
          </>
        ) : (
          <span>{error.detail}</span>
        )}
      </Refusal>
      {plan.error ? <Problem error={plan.error} /> : null}
    </>
  );
}

type Difference = { call: string; field: string | null; before: unknown; run: unknown; now: unknown };

function differenceOf(problem: ApiError['problem']): Difference | null {
  const write = problem?.['write'];
  const found = problem?.['difference'];
  if (!isRecord(write) || !isRecord(found)) return null;
  const { before, run, now, field } = found;
  return { call: `${write['method']} ${write['path']}`, field: typeof field === 'string' ? field : null, before, run, now };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
