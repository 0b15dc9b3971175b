import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Role } from '../../../../contract/roles.ts';
import { blanks } from '../../../parts/blanks.ts';
import { Fields } from '../../../parts/fields.tsx';
import { ListPage } from '../../../parts/list-page.tsx';
import type { RecordForm } from '../../../parts/record-form.ts';
import { type RecordKind, recordSheet } from '../../../parts/record-sheet.tsx';
import { Remove } from '../../../parts/remove.tsx';
import { RightsInWords } from '../../../parts/rights.tsx';
import { defined, type ListSearch, type Patch } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { peopleText } from '../../../texts/people.ts';
import { Section } from '../../../ui/page.tsx';
import { PermissionField } from '../../../ui/permission-field.tsx';
import type { Column } from '../../../ui/table.tsx';
import { calls, holdersOf, rolesPage } from '../queries.ts';
import { useGivable } from './role-field.tsx';
import './people.css';

const t = peopleText.roles;
const route = getRouteApi('/settings/$section');

const columns: Column<Role>[] = [
  { name: 'name', head: t.columns.name, cell: ({ name }) => name },
  { name: 'description', head: t.columns.description, cell: ({ description }) => description, isMinor: true },
];

/** The roles that staff can have; owners change what they may. */
export function RolesSection() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay()('admin_api.admins.write');
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  return (
    <ListPage
      title={t.title}
      search={search}
      patch={patch}
      page={(cursor) => rolesPage(search.q, cursor)}
      columns={columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      blank={blanks.roles}
      empty={t.none}
      create={mayChange ? t.add : undefined}
      sheet={(steps) =>
        recordSheet(roleKind, {
          id: search.open,
          mayChange,
          steps,
          close: () => patch({ open: undefined, new: undefined }),
          open: (id) => patch({ open: id, new: undefined }),
        })
      }
    />
  );
}

type Values = { name: string; description: string; permissions: readonly string[] };

const bodyOf = ({ permissions, ...values }: Values) => ({ ...values, permissions: [...permissions] });

const roleKind: RecordKind<Role, Values> = {
  resources: ['roles', 'admins'],
  creation: {
    title: t.add,
    submit: t.add,
    start: () => ({ name: '', description: '', permissions: [] }),
    create: (values, options) => calls.roles.create(bodyOf(values), options),
  },
  key: ['roles.get'],
  get: calls.roles.get,
  nameOf: ({ name }) => name,
  valuesOf: ({ name, description, permissions }) => ({ name, description, permissions }),
  update: (id, values, options) => calls.roles.update(id, bodyOf(values), options),
  fields: (form, isNew) => <RoleFields form={form} isNew={isNew} />,
  labelOf: (name) => t.fields[name],
  below: ({ id }) => <Holders id={id} />,
  acts: ({ id, name }, removed) => (
    <Remove name={name} act={t.remove} title={t.removeTitle(name)} run={() => calls.roles.delete(id)} onDone={removed}>
      <p>{t.removeDetail}</p>
    </Remove>
  ),
};

function RoleFields({ form, isNew }: { form: RecordForm<Values, unknown>; isNew: boolean }) {
  const offered = useGivable();
  return (
    <>
      <Fields
        form={form}
        fields={[
          { kind: 'text', name: 'name', label: t.fields.name, autoFocus: isNew },
          { kind: 'text', name: 'description', label: t.fields.description },
        ]}
      />
      <div className="role-preview">
        <RightsInWords isOwner={false} permissions={form.values.permissions} />
      </div>
      <PermissionField
        label={t.may}
        offered={offered}
        value={form.values.permissions}
        onValue={(permissions) => form.set('permissions', permissions)}
        error={form.errorAt('permissions')}
        pointer="/permissions"
      />
    </>
  );
}

/** Whom a change of the role concerns. */
function Holders({ id }: { id: number }) {
  const holders = useQuery(holdersOf(id));
  const names = holders.data?.data.map(({ name, email }) => name || email) ?? [];
  return (
    <Section title={t.holders}>
      {holders.data === undefined ? null : names.length === 0 ? (
        <p className="muted">{t.nobody}</p>
      ) : (
        <>
          <p>{names.join(', ')}</p>
          <p className="muted">{t.now}</p>
        </>
      )}
    </Section>
  );
}
