import { useState } from 'react';
import type { AssistantItem } from '../../../contract/assistant.ts';
import { assistantText as t } from '../../texts/assistant.ts';
import { countedKinds } from '../../texts/kinds.ts';
import { Button } from '../../ui/button.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { PathLink } from '../../ui/path-link.tsx';
import { Status } from '../../ui/status.tsx';
import { DraftStep, type Editing } from './step.tsx';
import type { ItemOf, RunPlace } from './thread.ts';

/** What happened in a thread, one after the other. What the model and its tools say is shown as text, whatever it is. */
export function Item({ item, thread, editing }: { item: AssistantItem; thread: number; editing: Editing | undefined }) {
  switch (item.kind) {
    case 'user':
      return <Said by={t.you} className="said mine" text={item.text} />;
    case 'words':
      return <Said by={t.it} className="said" text={item.text} />;
    case 'tool':
      return <ToolCall item={item} />;
    case 'draft':
      return <DraftStep item={item} thread={thread} editing={editing} />;
    case 'evidence':
      return <Evidence item={item} />;
    case 'notice':
      return (
        <p className="notice">
          <Status tone="need">{t.notices[item.code]}</Status> <MarkedText text={item.text} />
        </p>
      );
    default:
      return item satisfies never;
  }
}

function Said({ by, text, className }: { by: string; text: string; className: string }) {
  return (
    <p className={className}>
      <span className="visually-hidden">{by}: </span>
      <MarkedText text={text} />
    </p>
  );
}

/** One line that opens: what was asked, what was answered, and how long it took. */
function ToolCall({ item: { tool, input, written, answer, is_error, ms, run } }: { item: ItemOf<'tool'> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="tool-call">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>
            <MarkedText text={tool} />
          </code>{' '}
          {answer === null ? <Status tone="move">{t.tool.working}</Status> : null}
          {is_error ? <Status tone="fail">{t.tool.failed}</Status> : null}{' '}
          <span className="muted">{ms === null ? null : t.tool.ms(ms)}</span>
        </summary>
        {isOpen ? (
          <>
            <strong>{t.tool.asked}</strong>
            {input === null ? <p>{t.tool.written}</p> : null}
            <Data text={input === null ? written : JSON.stringify(input, null, 2)} />
            {answer === null ? null : (
              <>
                <strong>{t.tool.answered}</strong>
                <Data text={answer} />
              </>
            )}
          </>
        ) : null}
      </details>
      {run === null ? null : <RunLink run={run}>{t.tool.run(run.run_id)}</RunLink>}
    </div>
  );
}

/** So many characters are shown of a long text at first. */
const SHOWN_FIRST = 1500;

function Data({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(text.length <= SHOWN_FIRST);
  return (
    <>
      <pre>
        <MarkedText text={isWhole ? text : text.slice(0, SHOWN_FIRST)} />
      </pre>
      {isWhole ? null : <Button onClick={() => setWhole(true)}>{t.tool.whole(text.length)}</Button>}
    </>
  );
}

function RunLink({ run: { task_id, run_id }, children }: { run: RunPlace; children: string }) {
  return <PathLink to={`/tasks/${task_id}/runs/${run_id}`}>{children}</PathLink>;
}

/** What stands behind the draft, in one line. */
function Evidence({ item: { type_checks, dry_run, has_stand_ins, changes_by_kind, permissions_used } }: { item: ItemOf<'evidence'> }) {
  const { typeChecks, hasFaults, unchecked, dryRun, nothing, uses, standIns } = t.evidence;
  return (
    <p className="evidence-line">
      {type_checks === null ? unchecked : type_checks ? typeChecks : hasFaults}, <RunLink run={dry_run}>{dryRun(dry_run.run_id)}</RunLink>:{' '}
      {countedKinds(changes_by_kind) || nothing}, {uses(permissions_used.length)}
      {has_stand_ins && `. ${standIns}`}
    </p>
  );
}
