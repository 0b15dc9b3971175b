import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { PendingVersion } from '../../../contract/approvals.ts';
import { judgedPermission } from '../../../contract/permission-dangers.ts';
import type { OpenPrompt } from '../../../contract/prompts.ts';
import { blanks } from '../../parts/blanks.ts';
import { PromptForm } from '../../parts/prompt-form.tsx';
import { RunAbout } from '../../parts/run-status.tsx';
import { useMay, useMe } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { useApprovals } from '../../parts/waiting.ts';
import { approvalsText as t } from '../../texts/approvals.ts';
import { permissionText } from '../../texts/permissions.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { PageHead, Section, Sentence, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { WaitingChange, WaitingPlan } from './second-persons.tsx';
import '../../ui/list.css';
import './page.css';

const route = getRouteApi('/approvals');

/** Everything that waits for a person, each with its act beside it. */
export function ApprovalsPage() {
  const { versions, prompts, plans, changes, asked, count } = useApprovals();
  const [answered, setAnswered] = useState<OpenPrompt | null>(null);
  const error = asked.find((one) => one.error)?.error;
  return (
    <>
      <PageHead title={t.title} note={t.note} />
      {error ? <Problem error={error} retry={() => void Promise.all(asked.map((one) => one.refetch()))} /> : null}
      {asked.some((one) => one.isLoading) ? <Skeleton /> : null}
      <p role="status" className="muted">
        {answered ? (
          <>
            {t.answered}{' '}
            <Link to="/tasks/$id/runs/$r" params={{ id: answered.task_id, r: answered.run_id }}>
              {t.question(answered.run_id)}
            </Link>
          </>
        ) : null}
      </p>
      {count === 0 && !error && asked.every((one) => !one.isLoading) ? <Empty {...blanks.approvals} title={t.nothing} /> : null}
      <Waiting title={t.prompts} rows={prompts}>
        {(prompt) => <Question key={prompt.id} prompt={prompt} onAnswered={() => setAnswered(prompt)} />}
      </Waiting>
      <Waiting title={t.versions} rows={versions}>
        {(version) => <Version key={version.version_id} version={version} />}
      </Waiting>
      <Waiting title={t.plans} rows={plans}>
        {(plan) => <WaitingPlan key={plan.run_id} plan={plan} />}
      </Waiting>
      <Waiting title={t.changes} rows={changes}>
        {(change) => <WaitingChange key={change.id} change={change} />}
      </Waiting>
    </>
  );
}

/** What waits of one kind; nothing is shown where there is none. */
function Waiting<T>({ title, rows, children }: { title: string; rows: readonly T[]; children(row: T): ReactNode }) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="waiting">{rows.map((row) => children(row))}</ul>
    </Section>
  );
}

function Version({ version: one }: { version: PendingVersion }) {
  const { added } = one.permissions_diff;
  const me = useMe();
  const request = one.change_request;
  const waitsForMe = one.may_approve || (request !== null && one.created_by === me.id);
  return (
    <li>
      <div className="waiting-what">
        <Status tone={waitsForMe ? 'need' : 'rest'}>{`${one.task_name} · ${one.one_off ? t.oneOff : t.version(one.version)}`}</Status>
        <span className="muted">
          {one.created_by_name === null ? t.bySomebody : t.by(one.created_by_name)} · <Moment at={one.created_at} />
        </span>
        {one.note === null ? null : <MarkedText text={one.note} />}
        <span className="waiting-adds">
          {added.length === 0 ? <span className="muted">{t.addsNothing}</span> : null}
          {added.map((permission) => (
            <span key={permission} className={judgedPermission(permission).dangers.length > 0 ? 'tag need' : 'tag'} title={permission}>
              + {permissionText(permission)}
            </span>
          ))}
        </span>
        {request === null ? null : (
          <span>
            <strong>{t.changesRequested(request.admin_name ?? t.somebody)}</strong> <MarkedText text={request.comment} />
          </span>
        )}
        {one.refusal === null || (request && waitsForMe) ? null : <span className="muted">{t.refusals[one.refusal]}</span>}
      </div>
      <ButtonLink
        kind={waitsForMe ? 'first' : 'plain'}
        to="/tasks/$id/versions/$v"
        params={{ id: String(one.task_id), v: String(one.version_id) }}
      >
        {t.review}
      </ButtonLink>
    </li>
  );
}

function Question({ prompt, onAnswered }: { prompt: OpenPrompt; onAnswered(): void }) {
  const { open } = route.useSearch();
  const go = route.useNavigate();
  const mayAnswer = useMay()('admin_api.ai_tasks.write') && prompt.withheld.length === 0;
  const isOpen = open === prompt.id;
  return (
    <li>
      <div className="waiting-what">
        <Status tone={mayAnswer ? 'need' : 'rest'}>{prompt.label ?? t.withheld}</Status>
        <span className="muted">
          {prompt.task_name} ·{' '}
          <Link to="/tasks/$id/runs/$r" params={{ id: prompt.task_id, r: prompt.run_id }}>
            {t.question(prompt.run_id)}
          </Link>{' '}
          <RunAbout run={prompt} /> · <Sentence words={t.waitsSince} parts={[<Moment key="at" at={prompt.asked_at} />]} />
          {prompt.dry_run ? <span className="tag dry">{t.dryRun}</span> : null}
        </span>
        {mayAnswer || prompt.label === null ? null : <span className="muted">{t.mayNotAnswer}</span>}
        {isOpen && mayAnswer && prompt.label !== null ? (
          <PromptForm
            run={{ task_id: prompt.task_id, id: prompt.run_id }}
            prompt={{ ...prompt, label: prompt.label }}
            takesFocus={() => true}
            onDone={() => {
              onAnswered();
              void go({ search: {} });
            }}
          />
        ) : null}
      </div>
      {mayAnswer ? (
        <Button
          kind={isOpen ? 'plain' : 'first'}
          aria-expanded={isOpen}
          onClick={() => void go({ search: isOpen ? {} : { open: prompt.id } })}
        >
          {isOpen ? t.close : t.answer}
        </Button>
      ) : null}
    </li>
  );
}
