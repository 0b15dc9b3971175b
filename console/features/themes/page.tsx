import { getRouteApi } from '@tanstack/react-router';
import type { Theme } from '../../../contract/themes.ts';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { defined, type ListSearch, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { themesText as t } from '../../texts/themes.ts';
import { TextField } from '../../ui/field.tsx';
import { Lifecycle } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { calls, themesPage } from './queries.ts';

const route = getRouteApi('/themes');

export function ThemeStage({ active }: { active: boolean }) {
  return <Lifecycle stage={active ? 'full' : 'empty'}>{active ? t.active : t.inactive}</Lifecycle>;
}

const columns: Column<Theme>[] = [
  { name: 'name', head: t.name, cell: ({ name }) => name },
  { name: 'active', head: t.state, cell: ({ active }) => <ThemeStage active={active} /> },
  { name: 'at', head: t.made, cell: ({ created_at }) => <Moment at={created_at} kind="day" />, isMinor: true },
];

export function ThemesPage() {
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
      page={(cursor) => themesPage(search, cursor)}
      columns={columns}
      nameOf={({ name }) => name}
      searchLabel={t.name}
      blank={blanks.themes}
      empty={t.empty}
      create={may('admin_api.themes.write') ? t.create : undefined}
      onOpen={({ id }) => void navigate({ to: '/themes/$id', params: { id } })}
      sheet={() => (
        <NewSheet
          title={t.create}
          submit={t.add}
          start={() => ({ name: '' })}
          create={calls.create}
          resources={['themes']}
          fields={(form) => <TextField label={t.name} {...form.text('name')} autoFocus autoComplete="off" />}
          opened={({ id }) => void navigate({ to: '/themes/$id', params: { id } })}
          close={() => patch({ new: undefined })}
        />
      )}
    />
  );
}
