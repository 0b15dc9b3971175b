import type { ReactNode } from 'react';
import { areaWords, permissionText, permissionsText as t } from '../texts/permissions.ts';
import { Facts } from '../ui/page.tsx';
import { isWeighty, levelOf, othersOf, readOf, resourcesByGroup, writeOf } from '../ui/permission-areas.ts';

/** `isOwn`: it is told to whoever has the rights. */
type Props = { isOwner: boolean; isOwn?: boolean; permissions: readonly string[] };

/** What somebody may, in words: what they see and change, what they only see, and what else. */
export function RightsInWords({ isOwner, isOwn = false, permissions }: Props) {
  if (isOwner) return <p className="muted">{t.everything}</p>;
  if (permissions.length === 0) return <p className="muted">{t.nothing}</p>;
  const held = new Set(permissions);
  const resources = resourcesByGroup(permissions).flatMap(([, some]) => some);
  const ofLevel = (level: 'read' | 'write', permissionOf: (resource: string) => string) =>
    resources.filter((one) => levelOf(held, one) === level).map((one) => [areaWords(one), isWeighty(permissionOf(one))] as const);
  const lines = [
    [isOwn ? t.youChange : t.changes, ofLevel('write', writeOf)],
    [isOwn ? t.youSee : t.sees, ofLevel('read', readOf)],
    [t.also, othersOf(permissions).map((one) => [permissionText(one), isWeighty(one)] as const)],
  ] as const;
  return <Facts facts={lines.filter(([, names]) => names.length > 0).map(([head, names]) => [head, listed(names)] as const)} />;
}

function listed(names: readonly (readonly [name: string, isWeighty: boolean])[]): ReactNode {
  return names.map(([name, weighs], at) => (
    <span key={name}>
      {at === 0 ? '' : ', '}
      {weighs ? <mark className="weighty-right">{name}</mark> : name}
    </span>
  ));
}
