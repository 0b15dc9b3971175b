import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Admin } from '../../../../contract/admins.ts';
import { blanks } from '../../../parts/blanks.ts';
import { Fields } from '../../../parts/fields.tsx';
import { ListPage } from '../../../parts/list-page.tsx';
import { type RecordKind, recordSheet } from '../../../parts/record-sheet.tsx';
import { Remove } from '../../../parts/remove.tsx';
import { defined, type ListSearch, type Patch } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { Moment } from '../../../parts/values.tsx';
import { peopleText as t } from '../../../texts/people.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Secret } from '../../../ui/secret.tsx';
import type { Column } from '../../../ui/table.tsx';
import { AllAgents } from '../agents.tsx';
import { adminsPage, calls } from '../queries.ts';
import { SessionsOf } from '../sessions.tsx';
import { InviteForm } from './invite.tsx';
import { Invited } from './invited.tsx';
import { bodyOfRights, type Rights, RoleField, rightsOf } from './role-field.tsx';
import './people.css';

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
  { name: 'role', head: t.columns.role, cell: ({ role, role_name }) => (role === 'owner' ? t.owner : (role_name ?? t.ownList)) },
  {
    name: 'seen',
    head: t.columns.seen,
    cell: ({ last_seen_at }) => (last_seen_at === null ? t.never : <Moment at={last_seen_at} />),
    isMinor: true,
  },
];

/** The people of the shop; owners invite them and say what they may do. */
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
        create={mayChange ? t.invite : undefined}
        sheet={() =>
          recordSheet(adminKind(made, setMade), {
            id: search.open,
            mayChange,
            close: () => patch({ open: undefined, new: undefined }),
            open: (id) => patch({ open: id, new: undefined }),
          })
        }
      />
      <div className="below-people">
        <Invited mayChange={mayChange} />
        <AllAgents />
      </div>
    </>
  );
}

type AdminValues = Rights & { name: string; email: string; active: boolean };

const bodyOf = ({ name, email, active, ...rights }: AdminValues) => ({ name, email, active, ...bodyOfRights(rights) });

/** A sign-in link that was made for somebody; it is shown once. */
type Made = { id: number; link: string };

const adminKind = (made: Made | null, tell: (made: Made | null) => void): RecordKind<Admin, AdminValues> => ({
  resources: ['admins', 'admin_invitations'],
  creation: { title: t.inviteTitle, view: (done) => <InviteForm done={done} /> },
  key: ['admins.get'],
  get: calls.admins.get,
  nameOf: ({ name }) => name,
  valuesOf: ({ name, email, active, ...admin }) => ({ name, email, active, ...rightsOf(admin) }),
  update: (id, values, options) => calls.admins.update(id, bodyOf(values), options),
  fields: (form) => (
    <>
      <Fields
        form={form}
        fields={[
          { kind: 'text', name: 'name', label: t.columns.name },
          { kind: 'email', name: 'email', label: t.columns.email },
          { kind: 'tick', name: 'active', label: t.active },
        ]}
      />
      <RoleField form={form} />
    </>
  ),
  labelOf: (name) => t.fields[name],
  above: ({ id, name }) => (made?.id === id ? <Secret title={t.linkMade(name)} value={made.link} close={() => tell(null)} /> : null),
  below: ({ id }) => <SessionsOf adminId={id} />,
  acts: ({ id, name, active }, removed) => (
    <>
      {active ? <SignInLink id={id} tell={tell} /> : null}
      <Remove name={name} act={t.remove} title={t.removeTitle(name)} run={() => calls.admins.delete(id)} onDone={removed}>
        <p>{t.removeDetail}</p>
      </Remove>
    </>
  ),
});

function SignInLink({ id, tell }: { id: number; tell(made: Made | null): void }) {
  const make = useMutation({
    mutationFn: () => calls.admins.create_sign_in_link(id, {}),
    onSuccess: ({ url_path }) => tell(url_path === null ? null : { id, link: `${window.location.origin}${url_path}` }),
  });
  return (
    <>
      <Button disabled={make.isPending} onClick={() => make.mutate()}>
        {t.makeLink}
      </Button>
      {make.error ? <Problem error={make.error} /> : null}
    </>
  );
}
