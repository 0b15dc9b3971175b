import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CallDiff } from '../../../../contract/replays.ts';
import type { Run } from '../../../../contract/runs.ts';
import { runsText } from '../../../texts/runs.ts';
import { Change } from '../../../ui/change.tsx';
import { Section, Skeleton } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import { replayReport } from '../queries.ts';
import { Counts } from './counts.tsx';
import { Side, Texts } from './sides.tsx';

const t = runsText.compare;

type Props = { run: Run; recordedId: number; children: ReactNode };

/** What a replay did otherwise than the run that it replays; `children` where its recording is no longer kept. */
export function ReplayReport({ run, recordedId, children }: Props) {
  const report = useQuery(replayReport(run.task_id, run.id));
  if (report.isPending) return <Skeleton />;
  if (!report.data) {
    return (
      <>
        <Problem error={report.error} />
        {children}
      </>
    );
  }
  const { identical, ended, calls, effects, results, log, recorded, replayed } = report.data;
  const rows = [
    [t.kinds.calls, calls.same, calls.changed, calls.added, calls.missing],
    [t.kinds.effects, effects.same, effects.changed, effects.added, effects.missing],
    [t.kinds.results, results.same, 0, results.added, results.missing],
  ] as const;
  return (
    <>
      <h2>{t.replayOf(run.id, recordedId)}</h2>
      <Banner tone={identical ? 'done' : 'plain'}>{identical ? t.identical : t.ended[ended]}</Banner>
      <Counts label={t.replayOf(run.id, recordedId)} heads={Object.values(t.report)} rows={rows} />
      {log.first_difference ? (
        <Section title={t.logLine(log.first_difference.line)}>
          <code className="wrap">
            <Change before={log.first_difference.recorded} after={log.first_difference.replayed} />
          </code>
        </Section>
      ) : null}
      <Calls diff={calls} />
      {results.added + results.missing === 0 ? null : (
        <div className="compare-sides">
          <Texts title={`${t.kinds.results}: ${t.report.missing}`} texts={results.omissions} count={results.missing} />
          <Texts title={`${t.kinds.results}: ${t.report.added}`} texts={results.additions} count={results.added} />
        </div>
      )}
      <Section title={t.returned}>
        <div className="compare-sides">
          <Side title={runsText.run(recordedId)} value={recorded.error_message ?? recorded.result} />
          <Side title={runsText.run(run.id)} value={replayed.error_message ?? replayed.result} />
        </div>
      </Section>
    </>
  );
}

const callText = ({ method, path, body }: CallDiff['additions'][number]): string => `${method} ${path}${body === null ? '' : ` ${body}`}`;

function Calls({ diff: { changes, additions, omissions, added, missing } }: { diff: CallDiff }) {
  return (
    <>
      {changes.length === 0 ? null : (
        <Section title={`${t.kinds.calls}: ${t.report.changed}`}>
          <ol className="texts">
            {changes.map(({ method, path, body, recorded_body }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
              <li key={index}>
                <code className="wrap">
                  {method} {path} <Change before={recorded_body} after={body} />
                </code>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {added + missing === 0 ? null : (
        <div className="compare-sides">
          <Texts title={`${t.kinds.calls}: ${t.report.missing}`} texts={omissions.map(callText)} count={missing} />
          <Texts title={`${t.kinds.calls}: ${t.report.added}`} texts={additions.map(callText)} count={added} />
        </div>
      )}
    </>
  );
}
