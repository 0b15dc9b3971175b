import { getRouteApi } from '@tanstack/react-router';
import type { Inquiry } from '../../../contract/inquiries.ts';
import { blanks } from '../../parts/blanks.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { defined, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { inquiriesText as t } from '../../texts/inquiries.ts';
import { Lifecycle, Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { inquiriesPage } from './queries.ts';
import type { InquiriesSearch } from './routes.ts';
import { InquirySheet, NewInquiry } from './sheet.tsx';

const route = getRouteApi('/inquiries');

const columns: Column<Inquiry>[] = [
  {
    name: 'subject',
    head: t.columns.subject,
    cell: ({ subject, body }) => (
      <>
        {subject || t.noSubject} <span className="muted">{body.slice(0, 120)}</span>
      </>
    ),
  },
  { name: 'from', head: t.columns.from, cell: ({ name, email }) => name || email, isMinor: true },
  {
    name: 'state',
    head: t.columns.state,
    cell: ({ answered_at }) =>
      answered_at === null ? <Status tone="need">{t.waits}</Status> : <Lifecycle stage="full">{t.answered}</Lifecycle>,
  },
  { name: 'at', head: t.columns.at, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
];

const views = [
  [t.all, undefined],
  [t.waiting, false],
  [t.answered, true],
] as const;

export function InquiriesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const patch: Patch<InquiriesSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const { answered } = search;
  return (
    <ListPage
      title={t.title}
      note={t.count}
      search={search}
      patch={patch}
      page={(cursor) => inquiriesPage(search, cursor)}
      columns={columns}
      nameOf={({ subject }) => subject || t.noSubject}
      searchLabel={t.search}
      filters={views.map(([name, value]) => (
        <ViewTab key={name} isOn={answered === value} onClick={() => patch({ answered: value, cursor: undefined })}>
          {name}
        </ViewTab>
      ))}
      dropFilters={answered === undefined ? undefined : () => patch({ q: undefined, answered: undefined, cursor: undefined })}
      blank={blanks.inquiries}
      empty={t.empty}
      create={may('admin_api.inquiries.write') ? t.create : undefined}
      sheet={(steps) =>
        search.open === undefined ? (
          <NewInquiry close={() => patch({ new: undefined })} open={(id) => patch({ open: id, new: undefined })} />
        ) : (
          <InquirySheet key={search.open} id={search.open} steps={steps} close={() => patch({ open: undefined })} />
        )
      }
    />
  );
}
