import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Choice, keptChoice } from '../ui/choice.ts';
import { useMe } from './shop.ts';

const kinds = ['order', 'customer', 'product', 'task'] as const;
export type Opened = { kind: (typeof kinds)[number]; id: number };

const KEPT = 12;
const choices = new Map<number, Choice>();

/** Kept in this browser for each admin who uses it, as ids alone: `order:12 customer:3`, the latest first. */
function choiceOf(admin: number): Choice {
  const choice = choices.get(admin) ?? keptChoice(`backroom.opened.${admin}`);
  choices.set(admin, choice);
  return choice;
}

/** The records that the admin has opened here, the latest first. */
export function useOpened(): Opened[] {
  return read(choiceOf(useMe().id).use());
}

/** Remembers each record whose page or sheet is opened. */
export function useRememberOpened(): void {
  const choice = choiceOf(useMe().id);
  const href = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => {
    const record = recordOf(href);
    if (!record) return;
    const others = read(choice.get()).filter(({ kind, id }) => kind !== record.kind || id !== record.id);
    choice.set(
      [record, ...others]
        .slice(0, KEPT)
        .map(({ kind, id }) => `${kind}:${id}`)
        .join(' '),
    );
  }, [href, choice]);
}

function read(kept: string | null): Opened[] {
  return (kept ?? '').split(' ').flatMap((word) => {
    const [name, number] = word.split(':');
    const kind = kinds.find((one) => one === name);
    return kind !== undefined && Number(number) > 0 ? [{ kind, id: Number(number) }] : [];
  });
}

function recordOf(href: string): Opened | null {
  const { pathname, searchParams } = new URL(href, location.origin);
  const [, area, number] = /^\/(customer|product|task)s\/(\d+)(?:\/|$)/.exec(pathname) ?? [];
  const kind = pathname === '/orders' ? 'order' : kinds.find((one) => one === area);
  const id = Number(pathname === '/orders' ? searchParams.get('open') : number);
  return kind !== undefined && Number.isSafeInteger(id) && id > 0 ? { kind, id } : null;
}
