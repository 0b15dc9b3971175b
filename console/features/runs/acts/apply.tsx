import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Run } from '../../../../contract/runs.ts';
import { ApiError, once } from '../../../api/client.ts';
import { useRetryKey } from '../../../parts/retry-key.ts';
import { wordsOfRun } from '../../../parts/run-status.tsx';
import { isSecondPersons, useSecondPerson } from '../../../parts/second-person.tsx';
import { useReloadTasks } from '../../../parts/tasks.ts';
import { approvalsText } from '../../../texts/approvals.ts';
import { runsText } from '../../../texts/runs.ts';
import { Button } from '../../../ui/button.tsx';
import { Change } from '../../../ui/change.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Status } from '../../../ui/status.tsx';
import { Banner, Refusal } from '../../../ui/tabs.tsx';
import { applyRun } from '../queries.ts';
import type { PlannedWords } from '../run/effects.tsx';
import type { Asked } from './dialogs.tsx';

const t = runsText.apply;

type Props = { run: Run; words: PlannedWords | null; mayApply: boolean; ask(asked: Asked): void };

/** What the dry run found, with the act that carries it out. */
export function ApplyPlan({ run, words, mayApply, ask }: Props) {
  const key = useRetryKey();
  const navigate = useNavigate();
  const reload = useReloadTasks();
  const apply = useMutation({
    mutationFn: () => applyRun(run.task_id, run.id, once(key.of(['apply', run.id]))),
    onSuccess({ run_id: applied }) {
      key.spend();
      void reload();
      void navigate({ to: '/tasks/$id/runs/$r', params: { id: run.task_id, r: applied }, search: { tab: 'effects' } });
    },
  });
  const isNothing = words?.writes === 0;
  const isRefused = apply.error instanceof ApiError && refusals.includes(apply.error.code);
  const second = useSecondPerson({ run, mayApply, isOver: isRefused, error: apply.error, forget: apply.reset });
  const canApply = mayApply && words !== null && !isNothing && !isRefused && !second.isOthers && !apply.isPending;
  useShortcuts(canApply ? { 'mod+enter': () => apply.mutate() } : {});
  const act =
    mayApply && !isNothing ? (
      <>
        {second.act}
        {second.isOthers ? null : (
          <Button kind="first" keys="mod+enter" disabled={!canApply} onClick={() => apply.mutate()}>
            {runsText.acts.apply}
          </Button>
        )}
      </>
    ) : undefined;
  return (
    <>
      <Banner tone="dry" act={act}>
        <Status tone="dry">{wordsOfRun(run)}</Status>
        <span>{isNothing ? runsText.why.dryNothing : runsText.why.dryDone}</span>
        {words && !isNothing ? <span>{words.text}</span> : null}
        {second.words}
      </Banner>
      {apply.error ? <Refused error={apply.error} dryAgain={() => ask({ kind: 'again' })} /> : null}
    </>
  );
}

/** After these the same plan can never be applied. */
const refusals: readonly string[] = ['plan_outdated', 'not_applicable'];

/** Why the plan was not carried out: the first thing that is not as it was planned. */
function Refused({ error, dryAgain }: { error: Error; dryAgain(): void }) {
  if (isSecondPersons(error)) return <Refusal>{approvalsText.planRefusals.second_person_required}</Refusal>;
  if (!(error instanceof ApiError) || !refusals.includes(error.code)) return <Problem error={error} />;
  const difference = error.code === 'plan_outdated' ? differenceOf(error.problem) : null;
  return (
    <Refusal act={<Button onClick={dryAgain}>{runsText.acts.dryAgain}</Button>}>
      <Status tone="need">{error.code === 'plan_outdated' ? t.outdated : t.notApplicable}</Status>
      {difference ? (
        <>
          <code>
            {difference.method} {difference.path}
          </code>
          <span>
            <span className="muted">{fieldOf(difference.at) ?? t.answer}</span>{' '}
            <Change before={difference.expected} after={difference.actual} />
          </span>
        </>
      ) : (
        <span>{error.detail}</span>
      )}
    </Refusal>
  );
}

type Difference = { method: string; path: string; at: string; expected: unknown; actual: unknown };

function differenceOf(problem: ApiError['problem']): Difference | null {
  const call = problem?.['call'];
  const found = problem?.['difference'];
  if (!isRecord(call) || !isRecord(found)) return null;
  const { method, path } = call;
  const { at, expected, actual } = found;
  if (typeof method !== 'string' || typeof path !== 'string' || typeof at !== 'string') return null;
  return { method, path, at, expected, actual };
}

/** The field of a changed record, or the place in the answer that is another one now. */
function fieldOf(at: string): string | undefined {
  const [, field] = /^\/effects\/\d+\/changes\/([^/]+)/.exec(at) ?? [];
  return field ?? (at === '' ? undefined : at.replace(/^\//, ''));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
