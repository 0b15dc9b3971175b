import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { wordsOfRun } from '../../../parts/run-status.tsx';
import { useShop } from '../../../parts/shop.ts';
import { momentText } from '../../../parts/values.tsx';
import { runsText } from '../../../texts/runs.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { comparedRun, runsOfTask } from '../queries.ts';
import { compareRuns, type Difference, type FirstDifference } from './compared-runs.ts';
import { Counts } from './counts.tsx';
import { ReplayReport } from './replay-report.tsx';
import { Side, Texts } from './sides.tsx';

const t = runsText.compare;

type Props = { run: Run; withId: number | undefined; choose(id: number | undefined): void };

/** The run beside another one of its task; a replay beside the run that was recorded, as the server compares the two. */
export function CompareTab({ run, withId, choose }: Props) {
  const { timezone } = useShop();
  const runs = useQuery(runsOfTask(run.task_id));
  const others = (runs.data ?? []).filter(({ id }) => id !== run.id);
  const options = others.map(
    (other) => [String(other.id), t.option(other.id, wordsOfRun(other), momentText(other.started_at, timezone, 'minute'))] as const,
  );
  const isListed = withId === undefined || others.some(({ id }) => id === withId);
  return (
    <>
      <div className="compare-choice">
        <SelectField
          label={t.choose}
          options={[['', t.nothing], ...(isListed ? [] : [[String(withId), runsText.run(withId ?? 0)] as const]), ...options]}
          value={withId === undefined ? '' : String(withId)}
          onValue={(id) => choose(id === '' ? undefined : Number(id))}
        />
      </div>
      {runs.error ? <Problem error={runs.error} retry={() => void runs.refetch()} /> : null}
      {withId !== undefined ? (
        <Comparison run={run} otherId={withId} />
      ) : run.replay_of_run_id !== null && run.finished_at !== null ? (
        <ReplayReport run={run} recordedId={run.replay_of_run_id} />
      ) : null}
    </>
  );
}

function Comparison({ run, otherId }: { run: Run; otherId: number }) {
  const here = useQuery(comparedRun(run.task_id, run.id));
  const there = useQuery(comparedRun(run.task_id, otherId));
  const compared = useMemo(() => here.data && there.data && compareRuns(here.data, there.data), [here.data, there.data]);
  const error = here.error ?? there.error;
  if (error) return <Problem error={error} />;
  if (!compared || !here.data || !there.data) return <Skeleton />;
  if (there.data.run.withheld.length > 0) return <p className="muted">{t.withheld(otherId)}</p>;
  const { differences, first } = compared;
  return (
    <>
      {first ? <First first={first} here={run.id} there={otherId} /> : <Banner tone="done">{t.same}</Banner>}
      <Counts
        label={t.counts}
        heads={[t.columns.same, t.columns.onlyHere(run.id), t.columns.onlyHere(otherId)]}
        rows={differences.map(({ kind, same, onlyHere, onlyThere }) => [t.kinds[kind], same, onlyHere.length, onlyThere.length])}
      />
      {differences.map((difference) => (
        <Only key={difference.kind} difference={difference} here={run.id} there={otherId} />
      ))}
      <Section title={t.returned}>
        <div className="compare-sides">
          <Side title={runsText.run(run.id)} value={here.data.run.result} />
          <Side title={runsText.run(otherId)} value={there.data.run.result} />
        </div>
      </Section>
    </>
  );
}

function First({
  first: { kind, position, here, there },
  here: hereId,
  there: thereId,
}: {
  first: FirstDifference;
  here: number;
  there: number;
}) {
  return (
    <Section title={t.first}>
      <p className="muted">{t.firstIn(t.kinds[kind], position)}</p>
      <div className="compare-sides">
        <div>
          <h3>{runsText.run(hereId)}</h3>
          <code className="wrap">{here ?? t.none}</code>
        </div>
        <div>
          <h3>{runsText.run(thereId)}</h3>
          <code className="wrap">{there ?? t.none}</code>
        </div>
      </div>
    </Section>
  );
}

function Only({ difference: { kind, onlyHere, onlyThere }, here, there }: { difference: Difference; here: number; there: number }) {
  if (onlyHere.length === 0 && onlyThere.length === 0) return null;
  return (
    <div className="compare-sides">
      <Texts title={t.only(t.kinds[kind], here)} texts={onlyHere} />
      <Texts title={t.only(t.kinds[kind], there)} texts={onlyThere} />
    </div>
  );
}
