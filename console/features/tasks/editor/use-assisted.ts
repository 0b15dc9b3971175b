import { type RefObject, useMemo, useState } from 'react';
import type { AssistantDraft } from '../../../../contract/assistant.ts';
import type { Editor } from '../../../editor/mount.ts';
import type { Editing } from '../../../parts/assistant/step.tsx';
import { draftOr, type News, type RunPlace } from '../../../parts/assistant/thread.ts';
import { stepped } from './stepped.ts';
import type { useDraft } from './use-draft.ts';
import type { DryRun } from './use-dry-run.ts';
import { draftOf, valuesIn } from './version-values.ts';

type Options = { draft: ReturnType<typeof useDraft>; editor: RefObject<Editor | null>; dryRun: DryRun };

/** The draft as the assistant writes in it, and the newest dry run, whoever started it. */
export function useAssisted({ draft: { values, take }, editor, dryRun }: Options) {
  const draft = useMemo(() => draftOf(values), [values]);
  const [run, setRun] = useState<{ place: RunPlace; of: AssistantDraft; after: DryRun } | null>(null);
  function put(next: AssistantDraft, thread: number): void {
    const written = valuesIn(next);
    take(thread, written);
    editor.current?.setSource(written.source);
  }
  const editing: Editing = { draft, stepped, put };
  // One that is started, or refused, from then on is newer.
  const isOwn = run === null || run.after.runId !== dryRun.runId || run.after.error !== dryRun.error;
  return {
    editing,
    onNews({ thread, steps, run: place }: News): void {
      const next = steps.reduce((now, { before, after }) => stepped(now, draftOr(before), after), draft);
      if (steps.length > 0) put(next, thread);
      if (place) setRun({ place, of: next, after: dryRun });
    },
    shown: isOwn
      ? { taskId: dryRun.taskId, dryRun }
      : {
          taskId: run.place.task_id,
          dryRun: { runId: run.place.run_id, error: null, isOutdated: JSON.stringify(run.of) !== JSON.stringify(draft) },
        },
  };
}
