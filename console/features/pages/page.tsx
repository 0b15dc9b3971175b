import { getRouteApi } from '@tanstack/react-router';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { SlugFields } from '../../parts/slug-fields.tsx';
import { Moment } from '../../parts/values.tsx';
import { pagesText as t } from '../../texts/pages.ts';
import { Lifecycle } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { calls, type ListedPage, pagesList } from './queries.ts';

const route = getRouteApi('/pages');

export function PageStage({ published, hasDraft }: { published: boolean; hasDraft: boolean }) {
  return (
    <>
      <Lifecycle stage={published ? 'full' : 'empty'}>{published ? t.published : t.hidden}</Lifecycle>
      {hasDraft ? (
        <>
          {' · '}
          <Lifecycle stage="half">{t.draft.changes}</Lifecycle>
        </>
      ) : null}
    </>
  );
}

const columns: Column<ListedPage>[] = [
  { name: 'title', head: t.fields.title, cell: ({ title }) => title },
  { name: 'slug', head: t.fields.slug, cell: ({ slug }) => <code className="muted">{slug}</code>, isMinor: true },
  { name: 'published', head: t.state, cell: (page) => <PageStage published={page.published} hasDraft={page.hasDraft} /> },
  { name: 'updated', head: t.changed, cell: ({ updated_at }) => <Moment at={updated_at} />, isMinor: true },
];

export function PagesPage() {
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
      page={() => pagesList(search.q)}
      columns={columns}
      nameOf={({ title }) => title}
      searchLabel={t.search}
      blank={blanks.pages}
      empty={t.empty}
      create={may('admin_api.pages.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/pages/$id', params: { id } })}
      sheet={() => (
        <NewSheet
          title={t.create}
          submit={t.add}
          start={() => ({ title: '', slug: '' })}
          create={calls.create}
          resources={['pages']}
          fields={(form) => (
            <SlugFields
              name={{ label: t.fields.title, ...form.text('title') }}
              slug={{ label: t.fields.slug, hint: t.slugHint, ...form.text('slug') }}
            />
          )}
          opened={({ id }) => void navigate({ to: '/pages/$id', params: { id }, search: { begin: true } })}
          close={() => patch({ new: undefined })}
        />
      )}
    />
  );
}
