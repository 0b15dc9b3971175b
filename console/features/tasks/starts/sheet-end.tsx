import type { ReactNode } from 'react';
import { Remove } from '../../../parts/remove.tsx';
import { ActsFor } from '../acts-for.tsx';
import { StartedRuns } from '../parts.tsx';

type Props = {
  /** The schedule, trigger or hook as runs name it: `schedule:3`. */
  by: string;
  actsFor: number;
  mayWrite: boolean;
  takeOver(): Promise<unknown>;
  removal: { name: string; act?: string; title?: string; detail: string; run(): Promise<unknown> };
  removed(): void;
  children?: ReactNode;
};

/** What stands below the form of all that starts runs: its runs, for whom they act, and how it is deleted. */
export function StartSheetEnd({ by, actsFor, mayWrite, takeOver, removal: { detail, ...removal }, removed, children }: Props) {
  return (
    <>
      <StartedRuns by={by} />
      <ActsFor adminId={actsFor} mayWrite={mayWrite} takeOver={takeOver} />
      {mayWrite ? (
        <div className="acts">
          {children}
          <Remove {...removal} onDone={removed}>
            <p>{detail}</p>
          </Remove>
        </div>
      ) : null}
    </>
  );
}
