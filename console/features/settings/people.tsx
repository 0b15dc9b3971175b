import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Admin } from '../../../contract/admins.ts';
import type { Tagged } from '../../api/client.ts';
import { useRecordForm } from '../../parts/record-form.ts';
import { without } from '../../parts/search.ts';
import { useMay, useMe } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { Moment } from '../../parts/values.tsx';
import { settingsText } from '../../texts/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectField, TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { Skeleton } from '../../ui/page.tsx';
import { PermissionField } from '../../ui/permission-field.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Sheet, WithSheet } from '../../ui/sheet.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Pager, SearchField, Toolbar } from '../../ui/toolbar.tsx';
import { adminRecord, adminsPage, calls } from './queries.ts';

const t = settingsText.people;
const route = getRouteApi('/settings/$section');

/** The admins of the shop; owners add them and say what they may do. */
export function PeopleSection() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const admins = useQuery(adminsPage(search.q, search.cursor));
  const mayChange = useMay()('admin_api.admins.write');
  const go = (next: typeof search): void => void navigate({ search: next });
  const close = (): void => go(without(search, 'open', 'new'));
  const isOpen = search.open !== undefined || search.new === true;
  useShortcuts({ ...(mayChange ? { n: () => go({ ...search, new: true }) } : {}), ...(isOpen ? { escape: close } : {}) });
  const sheet = search.new ? (
    <NewAdmin close={close} made={(id) => go({ ...without(search, 'new'), open: id })} />
  ) : search.open === undefined ? null : (
    <AdminSheet key={search.open} id={search.open} close={close} />
  );
  return (
    <>
      <Toolbar>
        <SearchField
          label={t.search}
          value={search.q ?? ''}
          set={(q) => go(q === '' ? without(search, 'q', 'cursor') : { ...without(search, 'cursor'), q })}
        />
        {mayChange ? (
          <Button kind="first" keys="n" className="end" onClick={() => go({ ...without(search, 'open'), new: true })}>
            {t.add}
          </Button>
        ) : null}
      </Toolbar>
      <WithSheet sheet={sheet}>
        <List
          label={t.title}
          query={{ ...admins, data: admins.data?.data }}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          open={search.open}
          onOpen={({ id }) => go({ ...without(search, 'new'), open: id })}
          empty={t.none}
          dropFilters={search.q === undefined ? undefined : () => go({})}
          columns={[
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
          ]}
        />
        <Pager
          cursor={search.cursor}
          next={admins.data?.next_cursor}
          go={(cursor) => go(cursor === undefined ? without(search, 'cursor') : { ...search, cursor })}
        />
      </WithSheet>
    </>
  );
}

type AdminValues = { name: string; email: string; role: Admin['role']; permissions: readonly string[]; active: boolean };

const valuesOf = ({ name, email, role, permissions, active }: Admin): AdminValues => ({
  name,
  email,
  role,
  // An owner has every permission; the list is what the person would have as one of the staff.
  permissions: role === 'owner' ? [] : permissions,
  active,
});

const bodyOf = ({ permissions, ...values }: AdminValues) => ({
  ...values,
  ...(values.role === 'staff' ? { permissions: [...permissions] } : {}),
});

type FieldsProps = { form: ReturnType<typeof useRecordForm<AdminValues, Admin>> };

function AdminFields({ form }: FieldsProps) {
  const { effective_permissions: held } = useMe();
  const { values, set } = form;
  return (
    <>
      <TextField label={t.columns.name} {...form.text('name')} />
      <TextField label={t.columns.email} type="email" {...form.text('email')} />
      <SelectField
        label={t.columns.role}
        hint={t.roleHints[values.role]}
        pointer="/role"
        error={form.errorAt('role')}
        value={values.role}
        options={(['staff', 'owner'] as const).map((role) => [role, t.roles[role]] as const)}
        onValue={(role) => set('role', role)}
      />
      <Tick label={t.active} checked={values.active} onValue={(active) => set('active', active)} />
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

function NewAdmin({ close, made }: { close(): void; made(id: number): void }) {
  const queries = useQueryClient();
  const form = useRecordForm<AdminValues, Admin>({
    values: { name: '', email: '', role: 'staff', permissions: [], active: true },
    send: (values, options) => calls.createAdmin(bodyOf(values), options),
    onSaved: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['admins.list'] });
      made(id);
    },
  });
  return (
    <Sheet title={t.newTitle} close={close}>
      <Form label={t.newTitle} form={form} submit={t.add}>
        <AdminFields form={form} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}

function AdminSheet({ id, close }: { id: number; close(): void }) {
  const admin = useQuery(adminRecord(id));
  return (
    <Sheet title={admin.data?.value.name ?? ''} close={close}>
      {admin.isPending ? <Skeleton /> : null}
      {admin.error && !admin.data ? <Problem error={admin.error} retry={() => void admin.refetch()} /> : null}
      {admin.data ? <AdminForm {...admin.data} close={close} /> : null}
    </Sheet>
  );
}

function AdminForm({ value, etag, close }: Tagged<Admin> & { close(): void }) {
  const queries = useQueryClient();
  const mayChange = useMay()('admin_api.admins.write');
  const [token, setToken] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const changed = (): void => void queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => String(name).startsWith('admins.') });
  const form = useRecordForm<AdminValues, Admin>({
    values: valuesOf(value),
    etag,
    send: (values, options) => calls.updateAdmin(value.id, bodyOf(values), options),
    async reread() {
      const now = await queries.fetchQuery({ ...adminRecord(value.id), staleTime: 0 });
      return { value: valuesOf(now.value), etag: now.etag };
    },
    onSaved: changed,
  });
  const giveToken = useMutation({
    mutationFn: () => calls.createTokenFor(value.id, { name: t.firstToken, expires_in_days: 90 }),
    onSuccess: (made) => setToken(made.token),
  });
  const remove = useMutation({
    mutationFn: () => calls.deleteAdmin(value.id),
    onSuccess: close,
    onSettled: changed,
  });
  return (
    <>
      {token === null ? null : <Secret title={t.tokenMade(value.name)} value={token} close={() => setToken(null)} />}
      {giveToken.error ? <Problem error={giveToken.error} /> : null}
      <Form
        label={value.name}
        form={form}
        nameOf={(name) => t.fields[name]}
        isReadOnly={!mayChange}
        acts={
          <>
            <Button disabled={giveToken.isPending} onClick={() => giveToken.mutate()}>
              {t.giveToken}
            </Button>
            <Button kind="danger" onClick={() => setDeleting(true)}>
              {t.remove}
            </Button>
          </>
        }
      >
        <AdminFields form={form} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
      {isDeleting ? (
        <Confirm
          title={t.removeTitle(value.name)}
          act={t.remove}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate()}
          close={() => setDeleting(false)}
        >
          <p>{t.removeDetail}</p>
        </Confirm>
      ) : null}
    </>
  );
}
