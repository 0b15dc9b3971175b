import type { AssistantDraft } from '../../../../contract/assistant.ts';
import { isSameDraft } from '../../../parts/assistant/thread.ts';
import { mergeVersions } from './three-way.ts';
import { draftOf, valuesIn } from './version-values.ts';

/** A draft after a change of the assistant. Where the draft has been changed since, both changes are kept; in the same place, the draft's own. */
export function stepped(draft: AssistantDraft, from: AssistantDraft, to: AssistantDraft): AssistantDraft {
  if (isSameDraft(draft, from)) return to;
  const { conflicts: _, ...merged } = mergeVersions(valuesIn(from), valuesIn(draft), valuesIn(to));
  return draftOf(merged);
}
