import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccessGroup } from '../../../contract/access-groups.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { slugProposals } from '../../parts/slug.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { accessGroupsText as t } from '../../texts/access-groups.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import type { Column } from '../../ui/table.tsx';
import { calls, groupsPage } from './queries.ts';

const route = getRouteApi('/access-groups');
const counts = new Intl.NumberFormat('en');

const columns: Column<AccessGroup>[] = [
  { name: 'name', head: t.fields.name, cell: ({ name }) => name },
  { name: 'members', head: t.members.title, cell: ({ member_count }) => counts.format(member_count), isNumber: true },
  { name: 'files', head: t.files.title, cell: ({ file_count }) => file_count, isNumber: true, isMinor: true },
  { name: 'pages', head: t.pages.title, cell: ({ page_count }) => page_count, isNumber: true, isMinor: true },
  { name: 'products', head: t.products.title, cell: ({ granting_product_count }) => granting_product_count, isNumber: true, isMinor: true },
];

export function AccessGroupsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const patch: Patch<ListSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  return (
    <ListPage
      title={t.title}
      note={(total) => t.count(counts.format(total))}
      search={search}
      patch={patch}
      page={() => groupsPage(search.q)}
      columns={columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      empty={t.empty}
      create={may('admin_api.access_groups.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/access-groups/$id', params: { id } })}
      sheet={() => <NewGroup close={() => patch({ new: undefined })} />}
    />
  );
}

function NewGroup({ close }: { close(): void }) {
  const navigate = route.useNavigate();
  const reload = useReload();
  const [isSlugTyped, setSlugTyped] = useState(false);
  const [proposed] = useState(() => slugProposals(64));
  const form = useRecordForm({
    values: { name: '', slug: '', description: '' },
    send: (values, options) => calls.create({ ...values, description: values.description || null }, options),
    onSaved: ({ id }) => {
      void reload('access_groups');
      void navigate({ to: '/access-groups/$id', params: { id } });
    },
  });
  function setName(name: string): void {
    form.set('name', name);
    if (!isSlugTyped) form.set('slug', proposed(name));
  }
  function setSlug(slug: string): void {
    form.set('slug', slug);
    setSlugTyped(true);
  }
  return (
    <Sheet title={t.create} close={close}>
      <Form label={t.create} form={form} submit={t.add} canSendUnedited>
        <TextField label={t.fields.name} {...form.text('name')} onValue={setName} autoFocus autoComplete="off" />
        <TextField label={t.fields.slug} hint={t.slugHint} {...form.text('slug')} onValue={setSlug} autoComplete="off" />
        <TextArea label={t.fields.description} {...form.text('description')} />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}
