import { useState } from 'react';
import { ParameterForm } from '../../../parts/parameter-form.tsx';
import { examplesText as t } from '../../../texts/examples.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { DryRunPlan } from '../editor/plan.tsx';
import { type Example, tryDraft } from '../queries.ts';

type Tried = { task_id: number; run_id: number };

/** Runs the example dry on the shop that is open, before a task is made of it. */
export function TryIt({ example }: { example: Example }) {
  const { source_code, permissions, parameters, mail_to, http_allow, secrets, may_start } = example;
  const [isAsking, setAsking] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const draft = { source_code, permissions, parameters, mail_to, http_allow, secrets, may_start };
  return (
    <Section title={t.tryIt} act={isAsking ? null : <Button onClick={() => setAsking(true)}>{t.tryIt}</Button>}>
      <p className="muted">{t.tryNote}</p>
      {isAsking ? (
        <ParameterForm
          label={t.tryIt}
          declarations={parameters}
          submit={t.tryRun}
          acts={<Button onClick={() => setAsking(false)}>{t.tryCancel}</Button>}
          send={(given, options) => tryDraft({ draft, parameters: given }, options)}
          onDone={(run) => {
            setAsking(false);
            setTried(run);
          }}
        />
      ) : null}
      {tried === null ? null : (
        <DryRunPlan key={tried.run_id} taskId={tried.task_id} dryRun={{ runId: tried.run_id, error: null, isOutdated: false }} />
      )}
    </Section>
  );
}
