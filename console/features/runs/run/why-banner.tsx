import type { Run } from '../../../../contract/runs.ts';
import { NextAttempt, toneOfRun, wordsOfRun } from '../../../parts/run-status.tsx';
import { runsText } from '../../../texts/runs.ts';
import { undoText } from '../../../texts/undo.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { Banner } from '../../../ui/tabs.tsx';
import type { Asked } from '../acts/dialogs.tsx';
import type { Why } from './why.ts';

const t = runsText.acts;

type Props = { run: Run; why: Why; mayWrite: boolean; ask(asked: Asked): void; compare(): void };

/** Why the run waits or how it ended, with the act that helps. */
export function WhyBanner({ run, why: { tone, words, detail, help }, mayWrite, ask, compare }: Props) {
  return (
    <Banner tone={tone} act={help ? <HelpAct run={run} help={help} mayWrite={mayWrite} ask={ask} compare={compare} /> : undefined}>
      <Status tone={toneOfRun(run)}>{wordsOfRun(run)}</Status>
      <span>{words}</span>
      <NextAttempt run={run} />
      {detail === undefined ? null : detail.includes('\n') ? <pre className="why-detail">{detail}</pre> : <span>{detail}</span>}
    </Banner>
  );
}

type ActProps = Omit<Props, 'why'> & { help: NonNullable<Why['help']> };

function HelpAct({ run, help, mayWrite, ask, compare }: ActProps) {
  if (help.kind === 'show') {
    return (
      <>
        <ButtonLink to="/tasks/$id/runs/$r" params={{ id: run.task_id, r: help.runId }}>
          {t.show(help.runId)}
        </ButtonLink>
        {mayWrite && run.applied_by_run_id !== null && run.withheld.length === 0 ? (
          <Button onClick={() => ask({ kind: 'undo', runId: help.runId })}>{undoText.act}</Button>
        ) : null}
      </>
    );
  }
  if (help.kind === 'differences') return <Button onClick={compare}>{t.differences}</Button>;
  if (!mayWrite || help.kind === 'apply') return null;
  switch (help.kind) {
    case 'raise':
      return (
        <Button onClick={() => ask({ kind: 'raise', limit: help.limit, next: help.next })}>
          {help.next === 'resume' ? t.raiseResume : t.raiseAgain}
        </Button>
      );
    case 'drop':
      return <Button onClick={() => ask({ kind: 'resume', drop: true })}>{t.dropJournal}</Button>;
    case 'resume':
      return <Button onClick={() => ask({ kind: 'resume' })}>{t.resume}</Button>;
    case 'again':
      return <Button onClick={() => ask({ kind: 'again' })}>{run.dry_run ? t.dryAgain : t.again}</Button>;
    default:
      return help.kind satisfies never;
  }
}
