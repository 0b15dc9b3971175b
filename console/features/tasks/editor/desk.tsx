import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { JsonObject } from '../../../../contract/run-events.ts';
import { isMarkWarning } from '../../../../contract/source-marks.ts';
import type { SourceWarning } from '../../../../contract/source-warning.ts';
import type { Editor } from '../../../editor/mount.ts';
import type { Types } from '../../../editor/types-client.ts';
import { WithAssistant } from '../../../parts/assistant/beside.tsx';
import { startValues } from '../../../parts/parameter-form.tsx';
import type { OpenThread } from '../../../parts/search.ts';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { assistantText } from '../../../texts/assistant.ts';
import { editorText as t } from '../../../texts/editor.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { PageHead } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Banner } from '../../../ui/tabs.tsx';
import { TaskTabs } from '../frame.tsx';
import { type TaskDetail, type VersionDetail, type VersionRow, versionRecord } from '../queries.ts';
import type { Beside } from './beside.ts';
import { WithDock } from './dock.tsx';
import type { Draft, DraftValues } from './drafts.ts';
import { GrantFields } from './grant-fields.tsx';
import { ParameterPanel } from './parameter-panel.tsx';
import { DryRunPlan } from './plan.tsx';
import { GivenValues, Needed, PermissionPanel, PermissionPicker } from './side.tsx';
import { SourceEditor } from './source-editor.tsx';
import { SubmitDialog, type Submitted } from './submit.tsx';
import { mergeVersions } from './three-way.ts';
import { useAssisted } from './use-assisted.ts';
import { useDraft } from './use-draft.ts';
import { useDryRun } from './use-dry-run.ts';
import { type Base, valuesOf } from './version-values.ts';
import './editor.css';

type Props = {
  /** null: there is none yet. */
  task: TaskDetail['task'] | null;
  types: Types;
  newest: VersionRow | null;
  base: Base;
  start: DraftValues & Pick<Draft, 'thread'>;
  setBaseId?(id: number): void;
  /** The thread of the assistant that is open beside it. */
  thread: OpenThread | undefined;
  /** `isSame`: it is open already, so that it is no step to go back to. */
  setThread(open: OpenThread | undefined, isSame: boolean): void;
  beside: Beside;
  setBeside(beside: Beside): void;
};

/** Source, and beside it what it may do, is asked and would change; and how it becomes a version. */
export function EditorDesk({ task, types, newest, base, start, setBaseId, thread, setThread, beside, setBeside }: Props) {
  const taskId = task?.id ?? null;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const editor = useRef<Editor | null>(null);
  const draft = useDraft({ task: taskId ?? 0, base, start });
  const { values, change } = draft;
  const [given, setGiven] = useState<JsonObject>(() => startValues(start.parameters));
  const [isSubmitting, setSubmitting] = useState(false);
  const [submitted, setSubmitted] = useState<Submitted | null>(null);
  const [merged, setMerged] = useState<{ version: VersionDetail; conflicts: number } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const dryRun = useDryRun(taskId, values, given);
  const { editing, onNews, shown } = useAssisted({ draft, editor, dryRun });
  const runDry = (): void => {
    setBeside('plan');
    dryRun.start();
  };
  const setOpen = (open: OpenThread | undefined): void => setThread(open, thread !== undefined && open !== undefined);
  const isDeleted = task !== null && task.deleted_at !== null;
  const submit = (): void => setSubmitting(draft.isEdited && !isDeleted);
  useShortcuts({
    'mod+enter': isDeleted ? runDry : { name: t.dryRun, act: runDry },
    'mod+e': { name: t.reference.open, act: () => setBeside('reference') },
    'mod+s': draft.isEdited && !isDeleted ? { name: t.submit, act: submit } : submit,
  });

  async function bringIn(ofTask: number, id: number): Promise<void> {
    setFailure(null);
    try {
      const theirs = await queries.fetchQuery(versionRecord(ofTask, id));
      const next = mergeVersions(base.values, values, valuesOf(theirs));
      await draft.rebase(theirs.id, next);
      editor.current?.setSource(next.source);
      setMerged({ version: theirs, conflicts: next.conflicts });
      setBaseId?.(theirs.id);
    } catch (error) {
      setFailure(error);
    }
  }

  async function onSubmitted(result: Submitted): Promise<void> {
    setSubmitting(false);
    setMerged(null);
    await draft.drop();
    // Its page tells whether the first version runs or waits.
    if (task === null) return void navigate({ to: '/tasks/$id', params: { id: String(result.taskId) }, ignoreBlocker: true });
    await queries.invalidateQueries({ queryKey: ['ai_tasks.get', task.id] });
    await queries.fetchQuery(versionRecord(task.id, result.versionId));
    // Both at once: while the base is the earlier version, whoever follows the link would be asked about edited work.
    setBaseId?.(result.versionId);
    setSubmitted(result);
  }

  const declare = (permission: string): void => {
    if (!values.permissions.includes(permission)) change({ permissions: [...values.permissions, permission] });
  };
  const known = base.values.permissions;
  return (
    <>
      <Unsaved
        isEdited={draft.isEdited}
        {...(draft.isKept ? { draft: { detail: t.draft.detail, keep: t.draft.keepAndLeave, onDiscard: () => void draft.drop() } } : {})}
      />
      <PageHead
        title={
          <>
            {task?.name ?? t.newTask}{' '}
            {task ? <span className="muted">· {draft.isEdited ? t.draftOf(base.version) : t.version(base.version)}</span> : null}
          </>
        }
        note={<span role="status">{draft.isEdited ? (draft.isKept ? t.kept : draft.isLost ? t.notKept : t.edited) : ' '}</span>}
      >
        {draft.isEdited ? (
          <Button
            onClick={() => {
              void draft.discard();
              editor.current?.setSource(base.values.source);
              setMerged(null);
            }}
          >
            {t.draft.discard}
          </Button>
        ) : null}
        {isDeleted ? null : (
          <Button keys="mod+l" aria-expanded={thread !== undefined} onClick={() => setOpen(thread === undefined ? 'new' : undefined)}>
            {assistantText.title}
          </Button>
        )}
        <Button className="dry" keys="mod+enter" disabled={isDeleted || dryRun.isStarting} onClick={runDry}>
          {t.dryRun}
        </Button>
        <Button kind="first" keys="mod+s" disabled={isDeleted || !draft.isEdited} onClick={submit}>
          {t.submit}
        </Button>
      </PageHead>
      {task ? <TaskTabs id={task.id} /> : null}
      {failure ? <Problem error={failure} /> : null}
      {submitted ? <SubmittedBanner submitted={submitted} /> : null}
      {task && newest && newest.version > base.version ? (
        <Banner tone="need" act={<Button onClick={() => void bringIn(task.id, newest.id)}>{t.merge.merge}</Button>}>
          {t.merge.newer(newest.version, newest.created_by_name ?? t.merge.somebody)}
        </Banner>
      ) : null}
      {merged ? (
        <Banner tone={merged.conflicts > 0 ? 'need' : 'plain'} act={<Button onClick={() => setMerged(null)}>{t.merge.done}</Button>}>
          <span role="status">
            {t.merge.merged(merged.version.version)} {merged.conflicts > 0 ? t.merge.both(merged.conflicts) : null}
          </span>
        </Banner>
      ) : null}
      <WithAssistant
        taskId={taskId}
        open={thread}
        setOpen={setOpen}
        isOffered={!isDeleted}
        editing={editing}
        onNews={(news) => {
          if (news.run) setBeside('plan');
          onNews(news);
        }}
      >
        <WithDock
          source={
            <SourceEditor
              handle={editor}
              types={types}
              start={values.source}
              declared={values}
              takesFocus={task === null}
              warnings={submitted?.warnings ?? noWarnings}
              original={merged?.version.source_code ?? null}
              onSource={(source) => change({ source })}
              onDeclare={declare}
              onDryRun={runDry}
              onSubmit={submit}
            />
          }
          open={beside}
          go={setBeside}
          counts={{ permissions: values.permissions.length, parameters: values.parameters.length }}
          permissions={values.permissions}
          insert={(text) => editor.current?.insert(text)}
          replace={(example) => {
            const { source_code, permissions, parameters, mail_to, http_allow, secrets, may_start } = example;
            change({ source: source_code, permissions, parameters, mail_to, http_allow, secrets, may_start });
            editor.current?.setSource(source_code);
          }}
          isEdited={draft.isEdited}
          parts={{
            plan: (
              <>
                <GivenValues
                  declarations={values.parameters}
                  given={given}
                  onGiven={setGiven}
                  error={dryRun.error}
                  isRun={dryRun.runId !== undefined}
                />
                <DryRunPlan {...shown} beside={{ source: values.source, reveal: (line) => editor.current?.reveal(line) }} />
              </>
            ),
            permissions: (
              <>
                <Needed values={values} change={change} />
                <PermissionPanel
                  values={values}
                  known={known}
                  onRemove={(one) => change({ permissions: values.permissions.filter((p) => p !== one) })}
                >
                  <PermissionPicker held={values.permissions} onPick={declare} />
                  <GrantFields values={values} change={change} />
                </PermissionPanel>
              </>
            ),
            parameters: <ParameterPanel parameters={values.parameters} onParameters={(parameters) => change({ parameters })} />,
          }}
        />
      </WithAssistant>
      {isSubmitting ? (
        <SubmitDialog
          taskId={taskId}
          base={base}
          values={values}
          thread={draft.thread}
          tried={dryRun.isOutdated ? undefined : dryRun}
          close={() => setSubmitting(false)}
          onSubmitted={(result) => void onSubmitted(result)}
          onOutdated={(ofTask, newerId) => {
            setSubmitting(false);
            void bringIn(ofTask, newerId);
            void queries.invalidateQueries({ queryKey: ['ai_tasks.get', ofTask] });
          }}
        />
      ) : null}
    </>
  );
}

const noWarnings: readonly SourceWarning[] = [];

function SubmittedBanner({ submitted }: { submitted: Submitted }) {
  const { taskId, approval, version, versionId, warnings } = submitted;
  const params = { id: String(taskId), v: String(versionId) };
  const marks = warnings.filter(isMarkWarning).length;
  const faults = warnings.length - marks;
  return (
    <Banner
      tone={faults > 0 ? 'fail' : approval === 'pending' || marks > 0 ? 'need' : 'done'}
      act={
        <ButtonLink to="/tasks/$id/versions/$v" params={params}>
          {t.submitted.show}
        </ButtonLink>
      }
    >
      <span role="status">
        {t.submitted[approval](version)} {faults > 0 ? t.submitted.warnings(faults) : null} {marks > 0 ? t.submitted.marks(marks) : null}
      </span>
    </Banner>
  );
}
