import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Notification } from '../../contract/notifications.ts';
import { activityText } from '../texts/activity.ts';
import { ToldLink } from '../ui/told-link.tsx';

const t = activityText.notifications;

type About = Pick<Notification, 'type' | 'link' | 'metadata'>;
type Target = Pick<LinkProps, 'to' | 'params' | 'search'> & { words: string };

/** A way to what a notification is about, where it names it: its own link comes first. Without children it says where it leads. */
export function NewsLink({ type, link, metadata, className, children }: About & { className?: string; children?: ReactNode }) {
  const style = className === undefined ? {} : { className };
  if (link !== null) {
    return (
      <ToldLink link={link} {...style}>
        {children ?? t.toLink}
      </ToldLink>
    );
  }
  const target = targetOf(type, metadata);
  if (target === null) return <span {...style}>{children}</span>;
  const { words, ...to } = target;
  return (
    <Link {...to} {...style}>
      {children ?? words}
    </Link>
  );
}

function targetOf(type: string, metadata: Notification['metadata']): Target | null {
  const id = (name: string): number | undefined => {
    const value = metadata?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  const [order, product, task, run, version] = ['order_id', 'product_id', 'task_id', 'run_id', 'version_id'].map(id);
  if (order !== undefined) return { to: '/orders', search: { open: order }, words: t.toOrder };
  if (product !== undefined) return { to: '/products/$id', params: { id: product }, words: t.toProduct };
  const isOnce = metadata?.['one_off'] === true && version !== undefined;
  if (task !== undefined && run !== undefined && !isOnce) return { to: '/tasks/$id/runs/$r', params: { id: task, r: run }, words: t.toRun };
  if (task !== undefined && version !== undefined) {
    return { to: '/tasks/$id/versions/$v', params: { id: String(task), v: String(version) }, words: t.toReview };
  }
  if (task !== undefined) return { to: '/tasks/$id', params: { id: String(task) }, words: t.toTask };
  if (type === 'smtp_error') return { to: '/activity/$kind', params: { kind: 'mails' }, words: t.toMails };
  if (type === 'webhook_endpoint_disabled') return { to: '/activity/$kind', params: { kind: 'deliveries' }, words: t.toDeliveries };
  return type === 'storage_nearly_full' ? { to: '/library/files', words: t.toFiles } : null;
}
