import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

/** A link to a page of another feature, whose routes this one does not know. It stays within the page, as `Link` does. */
export function PathLink({ to, ...rest }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const { history } = useRouter();
  function follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.push(to);
  }
  return <a {...rest} href={to} onClick={follow} />;
}
