import type { BulkAction } from '../../../../contract/run-bulk.ts';
import { runBulkText as t } from '../../../texts/run-bulk.ts';
import { runsText } from '../../../texts/runs.ts';
import type { BulkResults } from '../queries.ts';

const REFUSALS_SHOWN = 20;

/** What became of an act on many runs: how many it was done to, and why not to the others. */
export function BulkOutcome({ act, outcome: { results, done } }: { act: BulkAction; outcome: BulkResults }) {
  const refused = results.filter(({ code }) => code !== null);
  return (
    <div role="status" className="bulk-result">
      <p>{t.acts[act].done(done)}</p>
      {refused.length > 0 ? (
        <>
          <p className="danger-text">{t.refused(refused.length)}</p>
          <ul>
            {refused.slice(0, REFUSALS_SHOWN).map(({ run_id, detail }) => (
              <li key={run_id}>
                {runsText.run(run_id)}: {detail}
              </li>
            ))}
          </ul>
          {refused.length > REFUSALS_SHOWN ? <p>{t.more(refused.length - REFUSALS_SHOWN)}</p> : null}
        </>
      ) : null}
    </div>
  );
}
