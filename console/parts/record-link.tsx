import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from './shop.ts';

/** The name of a record: for those who may read it, the way to its page. */
export function RecordLink({ permission, children, ...link }: { permission: string; children: ReactNode } & LinkComponentProps<'a'>) {
  return useMay()(permission) ? <Link {...link}>{children}</Link> : children;
}
