import { declaredOf, isGrant } from '../../../../contract/declared.ts';
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
  return (
    <>
      {added.length === 0 ? null : (
        <Section title={t.mayNewly}>
          <ul className="reviewed">
            {added.map((one) => (
              <li key={one} className={isGrant(one) ? 'added grant' : 'added'}>
                <span aria-hidden="true">+</span>
                <Permission permission={one} words={words(one)} source={version.source_code} />
                {known.includes(one) ? null : <span className="tag need">{t.newSinceLook}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {kept.length === 0 ? null : (
        <Section title={t.mayStill}>
          <ul className="reviewed">
            {kept.map((one) => (
              <li key={one} className={isGrant(one) ? 'grant' : undefined}>
                <Permission
                  permission={one}
                  words={words(one)}
                  source={version.source_code}
                  {...(isGrant(one) ? {} : { use: used.has(one) ? t.used : t.unused })}
                />
                {known.includes(one) ? null : <span className="tag need">{t.newSinceLook}</span>}
              </li>
            ))}
          </ul>
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

/** What a version declares, as one list of texts. */
export function declaredBy(version: VersionDetail): string[] {
  return declaredOf({ ...version, permissions: permissionsOf(version) });
}

type PermissionProps = { permission: string; words: string; source: string; use?: string };

function Permission({ permission, words: name, source, use }: PermissionProps) {
  const calls = callsNeeding(permission, source);
  const words = [isGrant(permission) ? '' : calls.length === 0 ? t.noCalls : t.calls(calls.join(', ')), use ?? ''];
  return (
    <div className="permission">
      <span title={permission}>
        <MarkedText text={name} />
      </span>
      {words.map((one) => (one === '' ? null : <small key={one}>{one}</small>))}
    </div>
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
            {state === 'removed' ? null : (
              <ul className="parameter-fields">
                {fields.map(({ field, was, is }) => (
                  <li key={field}>
                    {t.field[field]}{' '}
                    {state === 'added' ? null : (
                      <>
                        <del>
                          <MarkedText text={was} />
                        </del>{' '}
                        <span aria-hidden="true">→</span>{' '}
                      </>
                    )}
                    <ins>
                      <MarkedText text={is} />
                    </ins>
                  </li>
                ))}
              </ul>
            )}
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
