import type { ReactNode } from 'react';
import { decisionsText as t } from '../../texts/decisions.ts';
import { peopleText } from '../../texts/people.ts';
import { settingsText } from '../../texts/settings.ts';
import { tasksText } from '../../texts/tasks.ts';
import { Change } from '../../ui/change.tsx';
import { MarkedText } from '../../ui/marked-text.tsx';
import { Facts } from '../../ui/page.tsx';
import { Hash, May, PermissionsChanged, PlanWrites, Rights } from './decided-parts.tsx';
import { isMembers, listOf, type Members, membersOf, numberOf, textOf } from './members.ts';

/** What is decided, in words, and beneath it word for word: that is what the passkey signs. */
export function Decided({ decided, exactly = t.exactly }: { decided: Members; exactly?: string }) {
  return (
    <>
      <Facts facts={factsOf(decided)} />
      <details className="signed">
        <summary>{exactly}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
        <pre tabIndex={0}>{JSON.stringify(decided, null, 2)}</pre>
      </details>
    </>
  );
}

type Fact = readonly [name: string, value: ReactNode];
type Kind = { title(value: Members, all: Members): string; facts(value: Members, all: Members): readonly (Fact | null)[] };

const named = ({ name, email }: Members): string => textOf(name) || textOf(email);
const marked = (value: unknown): ReactNode => <MarkedText text={textOf(value)} />;
const yesNo = (value: unknown): string => (value === true ? t.yes : t.no);
const roleName = (role: unknown): string => (role === 'owner' ? peopleText.owner : peopleText.staff);
const isOwner = ({ role }: Members): boolean => role === 'owner';

function daysOf(days: unknown): string {
  const count = numberOf(days);
  return count === null ? t.forEver : t.days(count);
}

function versionFacts(version: Members, { task, continued }: Members): (Fact | null)[] {
  const names = listOf(version['parameters']).map((one) => textOf(membersOf(one)['name']));
  return [
    continued === true ? [t.facts.trial, t.continued] : null,
    [t.facts.source, <Hash key="hash" name={t.facts.source} value={textOf(version['source_sha256'])} />],
    [t.facts.may, <May key="may" taskId={numberOf(membersOf(task)['id'])} version={version} />],
    [t.facts.parameters, names.length === 0 ? t.none : marked(names.join(', '))],
  ];
}

/** A role that is given has the rights that come with it. */
function rightsFacts({ role, permissions }: Members, given: unknown): (Fact | null)[] {
  const ofRole = isMembers(given) ? given : null;
  const list = ofRole ? ofRole['permissions'] : permissions;
  return [
    [t.facts.role, ofRole ? marked(ofRole['name']) : roleName(role)],
    [t.facts.permissions, <Rights key="may" isOwner={role === 'owner'} permissions={listOf(list).map(textOf)} />],
  ];
}

const adminFields: Readonly<Record<string, string>> = { name: t.facts.name, email: t.facts.email, active: t.facts.active };

function changedFacts(changes: Members, given: unknown): (Fact | null)[] {
  return Object.entries(changes).map(([name, change]) => {
    const [before, after] = listOf(change);
    if (name === 'permissions') return [t.facts.permissions, <PermissionsChanged key={name} before={before} after={after} />];
    if (name === 'role') return [t.facts.role, <Change key={name} before={roleName(before)} after={roleName(after)} />];
    if (name === 'role_id') return isMembers(given) ? [peopleText.role, marked(given['name'])] : null;
    return [adminFields[name] ?? name, <Change key={name} before={before} after={after} />];
  });
}

const limitNames: Readonly<Record<string, string>> = tasksText.settings.limitNames;
const actNames: Readonly<Record<string, string>> = t.acts;

/** A change in each member of two values, called as people know them. */
function memberFacts(before: Members, after: Members, names: Readonly<Record<string, string>>): Fact[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => [names[name] ?? name, <Change key={name} before={before[name]} after={after[name]} />]);
}

const limitFacts = (limits: Members): Fact[] =>
  Object.entries(limits).map(([name, change]) => {
    const [before, after] = listOf(change);
    return [limitNames[name] ?? name, <Change key={name} before={before} after={after} />];
  });

const settingNames: Readonly<Record<string, string>> = {
  ...settingsText.approval.fields,
  ...settingsText.shop.keep.fields,
  ...settingsText.mail.ofTasks.fields,
  policy_four_eyes: t.page.owners,
};
const mailNames: Readonly<Record<string, string>> = settingsText.mail.fields;
/** That the password changes is a setting of its own. */
const mailOf = (smtp: unknown): Members => ({ ...membersOf(smtp), password_set: null });
const policies: Readonly<Record<string, string>> = settingsText.approval.policies;
const eyesNames = { writes_over: t.page.writesOver, kinds: t.page.kinds };
const ways: Readonly<Record<string, string>> = t.ways;
const said = (words: Readonly<Record<string, string>>, values: Members): Members =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, words[textOf(value)] ?? value]));

function settingFacts(settings: Members): Fact[] {
  return Object.entries(settings).flatMap(([name, change]): Fact[] => {
    const [before, after] = listOf(change);
    switch (name) {
      case 'decisions':
        return memberFacts(said(ways, membersOf(before)), said(ways, membersOf(after)), actNames);
      case 'limits_max':
        return memberFacts(membersOf(before), membersOf(after), limitNames);
      case 'four_eyes':
        return memberFacts(membersOf(before), membersOf(after), eyesNames);
      case 'smtp':
        return memberFacts(mailOf(before), mailOf(after), mailNames);
      case 'smtp.password':
        return [[t.facts.password, t.anew]];
      case 'approval_policy':
        return [[settingNames[name] ?? name, <Change key={name} before={policies[textOf(before)]} after={policies[textOf(after)]} />]];
      default:
        return [[settingNames[name] ?? name, <Change key={name} before={before} after={after} />]];
    }
  });
}

/** By the member that says what it is; the first that is there. */
const kinds: readonly (readonly [member: string, kind: Kind])[] = [
  [
    'plan',
    {
      title: (_, { task }) => t.titles.apply(named(membersOf(task))),
      facts: (plan, all) => [
        [t.facts.plan, <PlanWrites key="plan" taskId={numberOf(membersOf(all['task'])['id'])} plan={plan} rows={all['rows']} />],
        [t.facts.planDigest, <Hash key="hash" name={t.facts.planDigest} value={textOf(plan['sha256'])} />],
        [t.facts.version, textOf(membersOf(all['version'])['number']) || t.none],
        ...versionFacts(membersOf(all['version']), all),
      ],
    },
  ],
  [
    'version',
    {
      title: (version, { task, continued }) =>
        (continued === true ? t.titles.goOn : t.titles.approve)(textOf(version['number']), named(membersOf(task))),
      facts: versionFacts,
    },
  ],
  [
    'limits',
    {
      title: (_, { task }) => t.titles.raiseOf(named(membersOf(task))),
      facts: limitFacts,
    },
  ],
  [
    'token',
    {
      title: ({ name }) => t.titles.token(textOf(name)),
      facts: ({ permissions, expires_in_days }, { admin }) => [
        [t.facts.who, marked(named(membersOf(admin)))],
        [t.facts.may, <Rights key="may" isOwner={permissions === null && isOwner(membersOf(admin))} permissions={permissions} />],
        [t.facts.lasts, daysOf(expires_in_days)],
      ],
    },
  ],
  [
    'sign_in_link',
    {
      title: (_, { admin }) => t.titles.link(named(membersOf(admin))),
      facts: ({ minutes, allows_passkey }, { admin }) => [
        [t.facts.who, marked(named(membersOf(admin)))],
        [t.facts.may, isOwner(membersOf(admin)) ? t.everythingOwner : t.everything],
        [t.facts.lasts, t.minutes(numberOf(minutes) ?? 0)],
        allows_passkey === undefined ? null : [t.facts.passkey, yesNo(allows_passkey)],
      ],
    },
  ],
  [
    'agent',
    {
      title: ({ name }) => t.titles.agent(textOf(name)),
      facts: ({ permissions, sees_personal_data, expires_in_days, client }, { admin }) => [
        [t.facts.who, marked(named(membersOf(admin)))],
        client === null ? null : [t.facts.client, marked(client)],
        [t.facts.may, <Rights key="may" isOwner={false} permissions={permissions} />],
        [t.facts.people, yesNo(sees_personal_data)],
        [t.facts.lasts, daysOf(expires_in_days)],
      ],
    },
  ],
  [
    'new_admin',
    {
      title: (admin) => t.titles.newAdmin(named(admin)),
      facts: (admin, { role }) => [
        [t.facts.email, marked(admin['email'])],
        ...rightsFacts(admin, role),
        [t.facts.active, yesNo(admin['active'])],
      ],
    },
  ],
  [
    'deleted_admin',
    {
      title: (admin) => t.titles.deleteAdmin(named(admin)),
      facts: ({ email, role }) => [
        [t.facts.email, marked(email)],
        [t.facts.role, roleName(role)],
      ],
    },
  ],
  [
    'invitation',
    {
      title: ({ email }) => t.titles.invite(textOf(email)),
      facts: (invited, { role }) => [
        textOf(invited['name']) === '' ? null : [t.facts.name, marked(invited['name'])],
        ...rightsFacts(invited, role),
        [t.facts.mailed, yesNo(invited['mailed'])],
        [t.facts.passkey, yesNo(invited['allows_passkey'])],
      ],
    },
  ],
  [
    'admin',
    {
      title: (admin) => t.titles.admin(named(admin)),
      facts: ({ email }, { changes, role }) => [[t.facts.who, marked(email)], ...changedFacts(membersOf(changes), role)],
    },
  ],
  [
    'new_role',
    {
      title: ({ name }) => t.titles.newRole(textOf(name)),
      facts: ({ permissions }) => [[t.facts.may, <Rights key="may" isOwner={false} permissions={permissions} />]],
    },
  ],
  [
    'deleted_role',
    {
      title: ({ name }) => t.titles.deleteRole(textOf(name)),
      facts: ({ permissions }) => [[t.facts.may, <Rights key="may" isOwner={false} permissions={permissions} />]],
    },
  ],
  ['role', { title: ({ name }) => t.titles.role(textOf(name)), facts: (_, { changes }) => changedFacts(membersOf(changes), null) }],
  [
    'settings',
    {
      title: (settings) => (Object.keys(settings).join() === 'limits_max' ? t.titles.raise : t.titles.settings),
      facts: settingFacts,
    },
  ],
];

function kindOf(decided: Members): readonly [Members, Kind] | null {
  for (const [member, kind] of kinds) {
    const value = decided[member];
    if (isMembers(value)) return [value, kind];
  }
  return null;
}

export function titleOf(decided: Members): string {
  const { proposal } = decided;
  if (isMembers(proposal)) return t.proposal.of(titleOf(proposal));
  const found = kindOf(decided);
  return found ? found[1].title(found[0], decided) : t.titles.other;
}

function factsOf(decided: Members): Fact[] {
  const { proposal } = decided;
  if (isMembers(proposal)) return factsOf(proposal);
  const found = kindOf(decided);
  return (found ? found[1].facts(found[0], decided) : []).filter((fact) => fact !== null);
}
