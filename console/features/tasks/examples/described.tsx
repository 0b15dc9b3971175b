import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AssistantConversation, AssistantDraft } from '../../../../contract/assistant.ts';
import { declaredOf } from '../../../../contract/declared.ts';
import { WithAssistant } from '../../../parts/assistant/beside.tsx';
import { threadRecord } from '../../../parts/assistant/calls.ts';
import { draftOr, isSameDraft, type News, type RunPlace } from '../../../parts/assistant/thread.ts';
import { declarationsIn } from '../../../parts/declarations.ts';
import { defined, type OpenThread } from '../../../parts/search.ts';
import { assistantText } from '../../../texts/assistant.ts';
import { examplesText } from '../../../texts/examples.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { PageHead, Section } from '../../../ui/page.tsx';
import { SourceDiff } from '../../../ui/source-diff.tsx';
import { DryRunPlan } from '../editor/plan.tsx';
import { stepped } from '../editor/stepped.ts';
import { NewTaskForm } from './new.tsx';
import './examples.css';

const t = assistantText.describe;
const route = getRouteApi('/tasks/new/described');

/** A task that was described in plain words: its draft and the plan of its dry run, beside the conversation. */
export function DescribedPage() {
  const { thread } = route.useSearch();
  const navigate = route.useNavigate();
  const setOpen = (open: OpenThread | undefined): void => void navigate({ search: defined({ thread: open }), replace: true });
  const record = useQuery({ ...threadRecord(typeof thread === 'number' ? thread : 0), enabled: typeof thread === 'number' });
  return (
    <>
      <PageHead title={t.page} note={t.note}>
        <ButtonLink to="/tasks/new">{t.back}</ButtonLink>
      </PageHead>
      {typeof thread === 'number' ? (
        <Loaded query={record}>{(talk) => <Described key={talk.id} talk={talk} setOpen={setOpen} />}</Loaded>
      ) : (
        <WithAssistant taskId={null} open={thread} setOpen={setOpen} isOffered>
          <Empty drawing="sheet" title={t.noDraft} />
        </WithAssistant>
      )}
    </>
  );
}

type Props = { talk: AssistantConversation; setOpen(open: OpenThread | undefined): void };
type Shown = { place: RunPlace; of: AssistantDraft };

function Described({ talk, setOpen }: Props) {
  const [draft, setDraft] = useState(() => draftOr(talk.draft));
  const [run, setRun] = useState<Shown | null>(null);
  function onNews({ steps, run: place }: News): void {
    const next = steps.reduce((now, { before, after }) => stepped(now, draftOr(before), after), draft);
    setDraft(next);
    if (place) setRun({ place, of: next });
  }
  return (
    <WithAssistant
      taskId={null}
      open={talk.id}
      setOpen={setOpen}
      isOffered
      known={talk.items.at(-1)?.id ?? 0}
      editing={{ draft, stepped, put: setDraft }}
      onNews={onNews}
    >
      {draft.source_code === '' ? <Empty drawing="sheet" title={t.noDraft} /> : <DraftView draft={draft} />}
      {run ? (
        <DryRunPlan taskId={run.place.task_id} dryRun={{ runId: run.place.run_id, error: null, isOutdated: !isSameDraft(run.of, draft) }} />
      ) : null}
      {draft.source_code === '' ? null : <MakeTask draft={draft} threadId={talk.id} />}
    </WithAssistant>
  );
}

function MakeTask({ draft, threadId }: { draft: AssistantDraft; threadId: number }) {
  const parameters = declarationsIn(draft.parameters);
  const content = { ...draft, parameters, note: t.firstNote, assistant_thread_id: threadId };
  return (
    <div className="make-task">
      <Section title={t.make}>
        <NewTaskForm names={{ name: '', description: '' }} content={content} submit={t.make} autoFocus={false}>
          <p className="muted">{t.makeNote}</p>
        </NewTaskForm>
      </Section>
    </div>
  );
}

function DraftView({ draft }: { draft: AssistantDraft }) {
  const may = declaredOf(draft);
  return (
    <>
      <Section title={examplesText.may}>
        <ul>
          {may.map((one) => (
            <li key={one}>
              <MarkedText text={permissionText(one)} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t.draft}>
        <SourceDiff label={t.draft} before="" after={draft.source_code} />
      </Section>
    </>
  );
}
