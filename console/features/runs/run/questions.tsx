import type { Prompt } from '../../../../contract/prompts.ts';
import type { Run } from '../../../../contract/runs.ts';
import { useAdminName } from '../../../parts/admin-names.ts';
import { PromptForm } from '../../../parts/prompt-form.tsx';
import { Moment } from '../../../parts/values.tsx';
import { runPartsText } from '../../../texts/run-parts.ts';
import { runsText } from '../../../texts/runs.ts';
import { valueText } from '../../../ui/change.tsx';
import { Facts, Section } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { Banner } from '../../../ui/tabs.tsx';

const t = runsText.questions;

/** The questions that the run waits with, each as the form that answers it. */
export function OpenQuestions({ run, prompts, mayAnswer }: { run: Run; prompts: readonly Prompt[]; mayAnswer: boolean }) {
  return prompts
    .filter(({ answered_at }) => answered_at === null)
    .map((prompt) => (
      <Banner key={prompt.id} tone="need">
        <div className="question">
          <Status tone="need">{runPartsText.waiting.prompt}</Status>
          <h2>{prompt.label}</h2>
          {mayAnswer ? <PromptForm run={run} prompt={prompt} /> : <p className="muted">{t.mayNotAnswer}</p>}
        </div>
      </Banner>
    ));
}

/** All questions of the run, with who answered what. */
export function QuestionsTab({ prompts }: { prompts: readonly Prompt[] }) {
  const nameOf = useAdminName();
  return prompts.map(({ id, label, fields, answers, created_at, answered_at, answered_by }) => (
    <Section key={id} title={label}>
      <p className="muted">
        {t.asked} <Moment at={created_at} /> ·{' '}
        {answered_at === null ? (
          t.open
        ) : (
          <>
            {t.answered(nameOf(answered_by) ?? t.unknown)}, <Moment at={answered_at} />
          </>
        )}
      </p>
      {answers === null ? null : (
        <Facts facts={fields.map((field) => [field.label || field.name, valueText(answers[field.name])] as const)} />
      )}
    </Section>
  ));
}
