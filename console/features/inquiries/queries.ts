import { queryOptions } from '@tanstack/react-query';
import { api, tagged } from '../../api/client.ts';
import { PAGE_SIZE, rowsQuery } from '../../parts/list-page.tsx';
import { defined } from '../../parts/search.ts';
import type { InquiriesSearch } from './routes.ts';

export function inquiriesPage({ q, answered }: InquiriesSearch, cursor: string | undefined) {
  const query = { per_page: PAGE_SIZE, ...defined({ q, answered, cursor }) };
  return rowsQuery('inquiries.list', query, () => api.inquiries.list(query));
}

export function inquiryRecord(id: number) {
  return queryOptions({ queryKey: ['inquiries.get', id], queryFn: () => tagged(api.inquiries.get(id)), structuralSharing: false });
}

const { get, create, update, answer } = api.inquiries;

/** What the page of inquiries changes, and what it reads again after 412. */
export const calls = { get, create, update, answer, delete: api.inquiries.delete };
