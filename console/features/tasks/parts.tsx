import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TaskVersion } from '../../../contract/tasks.ts';
import { tasksText as t } from '../../texts/tasks.ts';
import { Status, type Tone } from '../../ui/status.tsx';
import type { VersionRow } from './queries.ts';

const tones: Record<TaskVersion['approval'], Tone> = { pending: 'need', approved: 'rest', rejected: 'rest', revoked: 'rest' };

/** What was decided about a version. That it is approved is nothing special, and has no colour. */
export function ApprovalState({
  version: { approval, changes_requested },
}: {
  version: Pick<VersionRow, 'approval' | 'changes_requested'>;
}) {
  if (approval === 'approved') return <span className="muted">{t.page.approval.approved}</span>;
  return <Status tone={tones[approval]}>{changes_requested ? t.page.changesRequested : t.page.approval[approval]}</Status>;
}

export function RunLink({ taskId, runId, children }: { taskId: number; runId: number; children: ReactNode }) {
  return (
    <Link to="/tasks/$id/runs/$r" params={{ id: taskId, r: runId }}>
      {children}
    </Link>
  );
}

export function versionAuthor({ created_by_name }: { created_by_name: string | null }): string {
  return created_by_name === null ? t.page.unknownAuthor : t.page.by(created_by_name);
}

/** Leads to the runs that a schedule, trigger or hook has started. */
export function StartedRuns({ by }: { by: string }) {
  return (
    <p className="sheet-note">
      <Link to="/runs" search={{ by }}>
        {t.itsRuns}
      </Link>
    </p>
  );
}
