import { lazyRouteComponent } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { assistantText as t } from '../../texts/assistant.ts';
import { Skeleton } from '../../ui/page.tsx';
import { WithSheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { OpenThread } from '../search.ts';
import type { AssistantProps } from './assistant.tsx';

/** The panel is loaded when it is first opened. */
const Assistant = lazyRouteComponent(() => import('./assistant.tsx'), 'Assistant');

type Props = Omit<AssistantProps, 'threadId' | 'setThread' | 'close'> & {
  open: OpenThread | undefined;
  setOpen(open: OpenThread | undefined): void;
  isOffered: boolean;
  children: ReactNode;
};

/** A page, and the assistant beside it while it is open. */
export function WithAssistant({ open, setOpen, isOffered, children, ...panel }: Props) {
  const toggle = (): void => setOpen(open === undefined ? 'new' : undefined);
  useShortcuts(isOffered ? { 'mod+l': { name: t.open, act: toggle } } : {});
  const shown =
    open === undefined || !isOffered ? null : (
      <Suspense fallback={<Skeleton />}>
        <Assistant
          {...panel}
          threadId={open === 'new' ? null : open}
          setThread={(id) => setOpen(id ?? 'new')}
          close={() => setOpen(undefined)}
        />
      </Suspense>
    );
  return <WithSheet sheet={shown}>{children}</WithSheet>;
}
