import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Role } from '../../../../contract/roles.ts';
import type { RecordForm } from '../../../parts/record-form.ts';
import { RightsInWords } from '../../../parts/rights.tsx';
import { useMe } from '../../../parts/shop.ts';
import { peopleText as t } from '../../../texts/people.ts';
import { MarkedText } from '../../../ui/marked-text.tsx';
import { PermissionField } from '../../../ui/permission-field.tsx';
import { allRoles } from '../queries.ts';

/** What somebody may as a form holds it: `owner`, `own` for a list of their own, or the id of a role. */
export type Rights = { choice: string; permissions: readonly string[] };

type Admin = { role: 'owner' | 'staff'; role_id: number | null; permissions: readonly string[] };

export function rightsOf({ role, role_id, permissions }: Admin): Rights {
  if (role === 'owner') return { choice: 'owner', permissions: [] };
  return role_id === null ? { choice: 'own', permissions } : { choice: String(role_id), permissions: [] };
}

export function bodyOfRights({ choice, permissions }: Rights) {
  if (choice === 'owner') return { role: 'owner' as const, role_id: null };
  if (choice === 'own') return { role: 'staff' as const, role_id: null, permissions: [...permissions] };
  return { role: 'staff' as const, role_id: Number(choice) };
}

/** The permissions that anybody but an owner can be given, of those that one has. */
export function useGivable(): string[] {
  const { effective_permissions: held } = useMe();
  return held.filter((one) => !one.startsWith('admin_api.admins.') && one !== 'admin_api.runner.write');
}

/** The role of a person, with one line on each and what the chosen one may. */
export function RoleField<V extends Rights>({ form }: { form: RecordForm<V, unknown> }) {
  const id = useId();
  const roles = useQuery(allRoles);
  const offered = useGivable();
  const { values, set, errorAt } = form;
  const error = errorAt('role_id') ?? errorAt('role');
  const choices: readonly (readonly [value: string, name: string, note: string])[] = [
    ...(roles.data?.data ?? []).map((role: Role) => [String(role.id), role.name, role.description] as const),
    ['own', t.ownList, t.ownListHint],
    ['owner', t.owner, t.ownerHint],
  ];
  const chosen = roles.data?.data.find((role) => String(role.id) === values.choice);
  return (
    <>
      <fieldset className={error === undefined ? 'roles' : 'roles field wrong'} data-pointer="/role_id" tabIndex={-1}>
        <legend>{t.role}</legend>
        {error === undefined ? null : <p className="field-error">{error}</p>}
        {choices.map(([value, name, note]) => (
          <label key={value} className={value === 'owner' && values.choice === value ? 'role-choice weighty' : 'role-choice'}>
            <input
              type="radio"
              name={id}
              aria-label={name}
              checked={values.choice === value}
              onChange={() => set('choice', value as V['choice'])}
            />
            <span>
              <MarkedText text={name} />
              <small className="muted">
                <MarkedText text={note} />
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      {values.choice === 'own' ? (
        <PermissionField
          label={t.may}
          offered={offered}
          value={values.permissions}
          onValue={(permissions) => set('permissions', permissions as V['permissions'])}
          error={errorAt('permissions')}
          pointer="/permissions"
        />
      ) : chosen === undefined ? null : (
        <div className="role-preview">
          <RightsInWords isOwner={false} permissions={chosen.permissions} />
        </div>
      )}
    </>
  );
}
