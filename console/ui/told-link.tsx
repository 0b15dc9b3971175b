import type { ReactNode } from 'react';
import { PathLink } from './path-link.tsx';

/** The link of a notification: a page of the console, or another site in a tab of its own, which is named. */
export function ToldLink({ link, children, className }: { link: string; children: ReactNode; className?: string }) {
  const style = className === undefined ? {} : { className };
  if (link.startsWith('/')) {
    return (
      <PathLink to={link} {...style}>
        {children}
      </PathLink>
    );
  }
  return (
    <a href={link} target="_blank" rel="noreferrer" {...style}>
      {new URL(link).host}
    </a>
  );
}
