import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { PageSummary } from '../../../contract/pages.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { slugProposals } from '../../parts/slug.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { Moment } from '../../parts/values.tsx';
import { pagesText as t } from '../../texts/pages.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Lifecycle } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { calls, pagesList } from './queries.ts';

const route = getRouteApi('/pages');
const counts = new Intl.NumberFormat('en');

export function PageStage({ published }: { published: boolean }) {
  return <Lifecycle stage={published ? 'full' : 'empty'}>{published ? t.published : t.hidden}</Lifecycle>;
}

const columns: Column<PageSummary>[] = [
  { name: 'title', head: t.fields.title, cell: ({ title }) => title },
  { name: 'slug', head: t.fields.slug, cell: ({ slug }) => <code className="muted">{slug}</code>, isMinor: true },
  { name: 'published', head: t.state, cell: ({ published }) => <PageStage published={published} /> },
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
      note={(total) => t.count(counts.format(total))}
      search={search}
      patch={patch}
      page={() => pagesList(search.q)}
      columns={columns}
      nameOf={({ title }) => title}
      searchLabel={t.search}
      empty={t.empty}
      create={may('admin_api.pages.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/pages/$id', params: { id } })}
      sheet={() => <NewPage close={() => patch({ new: undefined })} />}
    />
  );
}

function NewPage({ close }: { close(): void }) {
  const navigate = route.useNavigate();
  const reload = useReload();
  const [isSlugTyped, setSlugTyped] = useState(false);
  const [proposed] = useState(() => slugProposals());
  const form = useRecordForm({
    values: { title: '', slug: '' },
    send: calls.create,
    onSaved: ({ id }) => {
      void reload('pages');
      void navigate({ to: '/pages/$id', params: { id } });
    },
  });
  function setTitle(title: string): void {
    form.set('title', title);
    if (!isSlugTyped) form.set('slug', proposed(title));
  }
  function setSlug(slug: string): void {
    form.set('slug', slug);
    setSlugTyped(true);
  }
  return (
    <Sheet title={t.create} close={close}>
      <Form label={t.create} form={form} submit={t.add} canSendUnedited>
        <TextField label={t.fields.title} {...form.text('title')} onValue={setTitle} autoFocus autoComplete="off" />
        <TextField label={t.fields.slug} hint={t.slugHint} {...form.text('slug')} onValue={setSlug} autoComplete="off" />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Sheet>
  );
}
