import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Admin } from '../../../contract/admins.ts';
import { blanks } from '../../parts/blanks.ts';
import { Fields } from '../../parts/fields.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { RecordForm } from '../../parts/record-form.ts';
import { type RecordKind, recordSheet } from '../../parts/record-sheet.tsx';
import { Remove } from '../../parts/remove.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay, useMe } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { PermissionField } from '../../ui/permission-field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import type { Column } from '../../ui/table.tsx';
import { AllAgents } from './agents.tsx';
import { adminsPage, calls } from './queries.ts';

const t = settingsText.people;
const route = getRouteApi('/settings/$section');

const columns: Column<Admin>[] = [
  {
    name: 'name',
    head: t.columns.name,
    cell: ({ name, active }) => (
      <>
        {name} {active ? null : <span className="tag">{t.inactive}</span>}
      </>
    ),
  },
  { name: 'email', head: t.columns.email, cell: ({ email }) => email, isMinor: true },
  { name: 'role', head: t.columns.role, cell: ({ role }) => t.roles[role] },
  {
    name: 'seen',
    head: t.columns.seen,
    cell: ({ last_seen_at }) => (last_seen_at === null ? t.never : <Moment at={last_seen_at} />),
    isMinor: true,
  },
];

/** The admins of the shop; owners add them and say what they may do. */
export function PeopleSection() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay()('admin_api.admins.write');
  const [made, setMade] = useState<Made | null>(null);
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  return (
    <>
      <ListPage
        title={t.title}
        search={search}
        patch={patch}
        page={(cursor) => adminsPage(search.q, cursor)}
        columns={columns}
        nameOf={({ name }) => name}
        searchLabel={t.search}
        blank={blanks.people}
        empty={t.none}
        create={mayChange ? t.add : undefined}
        sheet={() =>
          recordSheet(adminKind(made, setMade), {
            id: search.open,
            mayChange,
            close: () => patch({ open: undefined, new: undefined }),
            open: (id) => patch({ open: id, new: undefined }),
          })
        }
      />
      <AllAgents />
    </>
  );
}

type AdminValues = { name: string; email: string; role: Admin['role']; permissions: readonly string[]; active: boolean };

const bodyOf = ({ permissions, ...values }: AdminValues) => ({
  ...values,
  ...(values.role === 'staff' ? { permissions: [...permissions] } : {}),
});

const roles = (['staff', 'owner'] as const).map((role) => [role, t.roles[role]] as const);

function AdminFields({ form }: { form: RecordForm<AdminValues, unknown> }) {
  const { effective_permissions: held } = useMe();
  const { values, set } = form;
  return (
    <>
      <Fields
        form={form}
        fields={[
          { kind: 'text', name: 'name', label: t.columns.name },
          { kind: 'email', name: 'email', label: t.columns.email },
          { kind: 'choice', name: 'role', label: t.columns.role, hint: t.roleHints[values.role], options: roles },
          { kind: 'tick', name: 'active', label: t.active },
        ]}
      />
      {values.role === 'staff' ? (
        <PermissionField
          label={t.may}
          offered={held.filter((one) => !one.startsWith('admin_api.admins.') && one !== 'admin_api.runner.write')}
          value={values.permissions}
          onValue={(permissions) => set('permissions', permissions)}
          error={form.errorAt('permissions')}
          pointer="/permissions"
        />
      ) : null}
    </>
  );
}

/** A token that was made for somebody; it is shown once. */
type Made = { id: number; token: string };

const adminKind = (made: Made | null, tell: (made: Made | null) => void): RecordKind<Admin, AdminValues> => ({
  resources: ['admins'],
  creation: {
    title: t.newTitle,
    submit: t.add,
    start: () => ({ name: '', email: '', role: 'staff', permissions: [], active: true }),
    create: (values, options) => calls.admins.create(bodyOf(values), options),
  },
  key: ['admins.get'],
  get: calls.admins.get,
  nameOf: ({ name }) => name,
  valuesOf: ({ name, email, role, permissions, active }) => ({
    name,
    email,
    role,
    // An owner has every permission; the list is what the person would have as one of the staff.
    permissions: role === 'owner' ? [] : permissions,
    active,
  }),
  update: (id, values, options) => calls.admins.update(id, bodyOf(values), options),
  fields: (form) => <AdminFields form={form} />,
  labelOf: (name) => t.fields[name],
  above: ({ id, name }) => (made?.id === id ? <Secret title={t.tokenMade(name)} value={made.token} close={() => tell(null)} /> : null),
  acts: ({ id, name }, removed) => (
    <>
      <FirstToken id={id} tell={tell} />
      <Remove name={name} act={t.remove} title={t.removeTitle(name)} run={() => calls.admins.delete(id)} onDone={removed}>
        <p>{t.removeDetail}</p>
      </Remove>
    </>
  ),
});

function FirstToken({ id, tell }: { id: number; tell(made: Made | null): void }) {
  const give = useMutation({
    mutationFn: () => calls.admins.create_token(id, { name: t.firstToken, expires_in_days: 90 }),
    onSuccess: ({ token }) => tell(token === null ? null : { id, token }),
  });
  return (
    <>
      <Button disabled={give.isPending} onClick={() => give.mutate()}>
        {t.giveToken}
      </Button>
      {give.error ? <Problem error={give.error} /> : null}
    </>
  );
}
