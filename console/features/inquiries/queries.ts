import { api } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { recordOf } from '../../parts/queries.ts';
import { defined } from '../../parts/search.ts';
import type { InquiriesSearch } from './routes.ts';

export function inquiriesPage({ q, answered }: InquiriesSearch, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ q, answered, cursor }) };
  return rowsQuery('inquiries.list', query, () => api.inquiries.list(query));
}

export const inquiryRecord = recordOf('inquiries.get', api.inquiries.get);

/** What the page of inquiries changes, and what it reads again after 412. */
export const calls = api.inquiries;
