import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import './button.css';
import { Key } from './key.tsx';

type Kind = 'first' | 'plain' | 'quiet' | 'danger';
type Look = { kind?: Kind; keys?: string; children: ReactNode };

/** `keys` shows the key that does the same, in the words of this machine's keyboard. */
export function Button({ kind = 'plain', keys, children, className, ...rest }: Look & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" {...rest} className={`button ${kind} ${className ?? ''}`} aria-keyshortcuts={keys}>
      {children}
      <Key keys={keys} />
    </button>
  );
}

/** A link that looks as a button does: it leads somewhere and changes nothing. */
export function ButtonLink({ kind = 'plain', keys, children, ...rest }: Look & LinkComponentProps<'a'>) {
  return (
    <Link {...rest} className={`button ${kind}`} aria-keyshortcuts={keys}>
      {children}
      <Key keys={keys} />
    </Link>
  );
}
