import { getRouteApi } from '@tanstack/react-router';
import type { AccessGroup } from '../../../contract/access-groups.ts';
import { countText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { SlugFields } from '../../parts/slug-fields.tsx';
import { accessGroupsText as t } from '../../texts/access-groups.ts';
import { TextArea } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { calls, groupsPage } from './queries.ts';

const route = getRouteApi('/access-groups');

const columns: Column<AccessGroup>[] = [
  { name: 'name', head: t.fields.name, cell: ({ name }) => name },
  { name: 'members', head: t.members.title, cell: ({ member_count }) => countText(member_count), isNumber: true },
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
      note={t.count}
      search={search}
      patch={patch}
      page={() => groupsPage(search.q)}
      columns={columns}
      nameOf={({ name }) => name}
      searchLabel={t.search}
      blank={blanks.accessGroups}
      empty={t.empty}
      create={may('admin_api.access_groups.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/access-groups/$id', params: { id } })}
      sheet={() => (
        <NewSheet
          title={t.create}
          submit={t.add}
          start={() => ({ name: '', slug: '', description: '' })}
          create={(values, options) => calls.create({ ...values, description: values.description || null }, options)}
          resources={['access_groups']}
          fields={(form) => (
            <>
              <SlugFields
                name={{ label: t.fields.name, ...form.text('name') }}
                slug={{ label: t.fields.slug, hint: t.slugHint, ...form.text('slug') }}
                longest={64}
              />
              <TextArea label={t.fields.description} {...form.text('description')} />
            </>
          )}
          opened={({ id }) => void navigate({ to: '/access-groups/$id', params: { id } })}
          close={() => patch({ new: undefined })}
        />
      )}
    />
  );
}
