import type { ReactNode } from 'react';
import { declaredOf, isGrant } from '../../../../contract/declared.ts';
import { judgedPermission, permissionGroups } from '../../../../contract/permission-dangers.ts';
import type { ParameterDeclaration } from '../../../../contract/tasks.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { reviewText as t } from '../../../texts/review.ts';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { Section } from '../../../ui/page.tsx';
import { permissionsOf, type VersionDetail } from '../queries.ts';
import { callsNeeding } from '../uses-permission.ts';
import '../../../ui/list.css';

type Props = { version: VersionDetail; base: VersionDetail | null };

/** What the version may do and with whom, in words: first what is new, then what stays, then what it gives up. */
export function PermissionChanges({ version, base, seen }: Props & { seen: VersionDetail | null }) {
  const now = declaredBy(version);
  const before = base ? declaredBy(base) : [];
  const known = seen ? declaredBy(seen) : now;
  const tasks = [...version.may_start_tasks, ...(base?.may_start_tasks ?? [])];
  const words = (one: string): string => permissionText(one, tasks);
  const added = now.filter((one) => !before.includes(one));
  const kept = now.filter((one) => before.includes(one));
  const removed = before.filter((one) => !now.includes(one));
  const used = new Set([...version.permissions_used, ...(base?.permissions_used ?? [])]);
  if (now.length === 0 && removed.length === 0) return <Section title={t.mayStill}>{<p className="muted">{t.mayNothing}</p>}</Section>;
  const row = (one: string, isNew: boolean) => (
    <Permission
      key={one}
      permission={one}
      words={words(one)}
      source={version.source_code}
      isNew={isNew}
      isUnseen={!known.includes(one)}
      {...(isNew || isGrant(one) ? {} : { use: used.has(one) ? t.used : t.unused })}
    />
  );
  return (
    <>
      {added.length === 0 ? null : (
        <Section title={t.mayNewly}>
          <Grouped permissions={added} row={(one) => row(one, true)} />
        </Section>
      )}
      {kept.length === 0 ? null : (
        <Section title={t.mayStill}>
          <Grouped permissions={kept} row={(one) => row(one, false)} />
        </Section>
      )}
      {removed.length === 0 ? null : (
        <Section title={t.mayNoMore}>
          <ul className="reviewed">
            {removed.map((one) => (
              <li key={one} className="removed">
                <span aria-hidden="true">−</span>
                <del title={one}>
                  <MarkedText text={words(one)} />
                </del>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

/** What only looks, what changes something, and what leaves the house, each with its name. */
function Grouped({ permissions, row }: { permissions: readonly string[]; row(permission: string): ReactNode }) {
  const groups = Map.groupBy(permissions, (one) => judgedPermission(one).group);
  return permissionGroups.map((group) => {
    const own = groups.get(group) ?? [];
    if (own.length === 0) return null;
    return (
      <div key={group} className="permission-group">
        <h3>{t.groups[group]}</h3>
        <ul className="reviewed">{own.map(row)}</ul>
      </div>
    );
  });
}

/** What a version declares, as one list of texts. */
export function declaredBy(version: VersionDetail): string[] {
  return declaredOf({ ...version, permissions: permissionsOf(version) });
}

type PermissionProps = { permission: string; words: string; source: string; isNew: boolean; isUnseen: boolean; use?: string };

/** In words, with what is dangerous about it and which calls of the source need it. What is dangerous and new is amber. */
function Permission({ permission, words: name, source, isNew, isUnseen, use }: PermissionProps) {
  const calls = callsNeeding(permission, source);
  const { dangers } = judgedPermission(permission);
  const words = [isGrant(permission) ? '' : calls.length === 0 ? t.noCalls : t.calls(calls.join(', ')), use ?? ''];
  return (
    <li className={`${isNew ? 'added' : 'kept'} ${dangers.length > 0 ? 'dangerous' : ''}`}>
      {isNew ? <span aria-hidden="true">+</span> : null}
      <div className="permission">
        <span title={permission}>
          <MarkedText text={name} />
        </span>
        {dangers.length === 0 ? null : <small className="dangers">{dangers.map((one) => t.dangers[one]).join(' · ')}</small>}
        {words.map((one) => (one === '' ? null : <small key={one}>{one}</small>))}
      </div>
      {isUnseen ? <span className="tag need">{t.newSinceLook}</span> : null}
    </li>
  );
}

/** Which parameters are new, gone or declared in another way, and what of them was and is. */
export function ParameterChanges({ version, base }: Props) {
  const now = declarationsOf(version);
  const before = base ? declarationsOf(base) : [];
  const names = [...new Set([...before, ...now].map(({ name }) => name))];
  const changed = names.flatMap((name) => {
    const [was, is] = [before.find((one) => one.name === name), now.find((one) => one.name === name)];
    const fields = fieldsChanged(was, is);
    return fields.length === 0 ? [] : [{ name, state: was ? (is ? 'changed' : 'removed') : 'added', fields } as const];
  });
  if (changed.length === 0) return null;
  return (
    <Section title={t.parameters}>
      <ul className="reviewed">
        {changed.map(({ name, state, fields }) => (
          <li key={name}>
            <code>{name}</code> <span className="muted">{t.parameter[state]}</span>
            <ul className="parameter-fields">
              {fields.map(({ field, was, is }) => (
                <li key={field}>
                  <span className="muted">{t.field[field]}</span>{' '}
                  {state === 'added' ? null : (
                    <del>
                      <MarkedText text={was} />
                    </del>
                  )}
                  {state === 'changed' ? <span aria-hidden="true"> → </span> : null}
                  {state === 'removed' ? null : (
                    <ins>
                      <MarkedText text={is} />
                    </ins>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const FIELDS = ['kind', 'label', 'required', 'default', 'options'] as const;

function fieldsChanged(before: ParameterDeclaration | undefined, now: ParameterDeclaration | undefined) {
  return FIELDS.map((field) => ({ field, was: valueText(before?.[field]), is: valueText(now?.[field]) })).filter(
    ({ was, is }) => was !== is,
  );
}

function valueText(value: unknown): string {
  return value === undefined ? t.noValue : JSON.stringify(value);
}
