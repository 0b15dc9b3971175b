import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Run } from '../../../../contract/runs.ts';
import { momentText } from '../../../language/formats.ts';
import { wordsOfRun } from '../../../parts/run-status.tsx';
import { useShop } from '../../../parts/shop.ts';
import { runsText } from '../../../texts/runs.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { comparedRun, runsOfTask } from '../queries.ts';
import { type Compared, compareRuns, type Difference, type FirstDifference } from './compared-runs.ts';
import { Counts } from './counts.tsx';
import { ReplayReport } from './replay-report.tsx';
import { Side, Texts } from './sides.tsx';

const t = runsText.compare;

type Props = { run: Run; withId: number | undefined; choose(id: number | undefined): void };

/** The run beside another one of its task; a replay and its recording, from whichever of the two, as the server compares them. */
export function CompareTab({ run, withId, choose }: Props) {
  const { timezone } = useShop();
  const runs = useQuery(runsOfTask(run.task_id));
  const others = (runs.data ?? []).filter(({ id }) => id !== run.id);
  const options = others.map(
    (other) =>
      [
        String(other.id),
        t.option(other.id, wordsOfRun(other), momentText(other.started_at, timezone, 'minute'), other.description),
      ] as const,
  );
  // A replay that has ended is compared with its recording where nothing else is chosen.
  const otherId = withId ?? (run.finished_at === null ? undefined : (run.replay_of_run_id ?? undefined));
  const isListed = otherId === undefined || others.some(({ id }) => id === otherId);
  return (
    <>
      <div className="compare-choice">
        <SelectField
          label={t.choose}
          options={[['', t.nothing], ...(isListed ? [] : [[String(otherId), runsText.run(otherId)] as const]), ...options]}
          value={otherId === undefined ? '' : String(otherId)}
          onValue={(id) => choose(id === '' ? undefined : Number(id))}
        />
      </div>
      {runs.error ? <Problem error={runs.error} retry={() => void runs.refetch()} /> : null}
      {otherId === undefined ? null : run.replay_of_run_id === otherId && run.finished_at !== null ? (
        <ReplayReport run={run} recordedId={otherId}>
          <Comparison run={run} otherId={otherId} />
        </ReplayReport>
      ) : (
        <Comparison run={run} otherId={otherId} />
      )}
    </>
  );
}

function Comparison({ run, otherId }: { run: Run; otherId: number }) {
  const here = useQuery(comparedRun(run.task_id, run.id));
  const there = useQuery(comparedRun(run.task_id, otherId));
  const error = here.error ?? there.error;
  if (error) return <Problem error={error} />;
  if (!here.data || !there.data) return <Skeleton />;
  if (there.data.run.withheld.length > 0) return <p className="muted">{t.withheld(otherId)}</p>;
  const sides = <SideBySide here={here.data} there={there.data} />;
  const other = there.data;
  // The replay is told of as on its own page.
  if (other.run.replay_of_run_id !== run.id || other.run.finished_at === null) return sides;
  return (
    <ReplayReport run={other.run} recordedId={run.id}>
      {sides}
    </ReplayReport>
  );
}

function SideBySide({ here, there }: { here: Compared; there: Compared }) {
  const { differences, first } = useMemo(() => compareRuns(here, there), [here, there]);
  const [hereId, thereId] = [here.run.id, there.run.id];
  return (
    <>
      {first ? <First first={first} here={hereId} there={thereId} /> : <Banner tone="done">{t.same}</Banner>}
      <Counts
        label={t.counts}
        heads={[t.columns.same, t.columns.onlyHere(hereId), t.columns.onlyHere(thereId)]}
        rows={differences.map(({ kind, same, onlyHere, onlyThere }) => [t.kinds[kind], same, onlyHere.length, onlyThere.length])}
      />
      {differences.map((difference) => (
        <Only key={difference.kind} difference={difference} here={hereId} there={thereId} />
      ))}
      <Section title={t.returned}>
        <div className="compare-sides">
          <Side title={runsText.run(hereId)} value={here.run.result} />
          <Side title={runsText.run(thereId)} value={there.run.result} />
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
