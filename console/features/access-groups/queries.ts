import type { AccessGroup } from '../../../contract/access-groups.ts';
import { api, changeRecord } from '../../api/client.ts';
import { wholeList } from '../../parts/list-page.tsx';
import { recordOf } from '../../parts/queries.ts';
import { choicesQuery } from '../../ui/picker.tsx';

const FOUND_MAX = 8;

/** All groups, or those whose name or slug has what is searched. */
export function groupsPage(q: string | undefined) {
  return wholeList('access_groups.list', { q }, async () => {
    const wanted = (q ?? '').toLowerCase();
    return (await api.access_groups.list()).filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted));
  });
}

/** A group with its files, pages, products, members and ETag. */
export const groupRecord = recordOf('access_groups.get', api.access_groups.get);

export function foundPages(typed: string) {
  return choicesQuery('pages', typed, async () =>
    (await api.pages.list(typed === '' ? {} : { search: typed }))
      .slice(0, FOUND_MAX)
      .map(({ id, title, slug }) => ({ id, name: title, note: slug })),
  );
}

/** Changes the files of a group as they are now. */
export function changeFiles(id: number, edit: (ids: readonly number[]) => number[]): Promise<AccessGroup> {
  return changeRecord(
    () => api.access_groups.get(id),
    ({ files }, options) => api.access_groups.replace_files(id, { file_ids: edit(files.map((file) => file.id)) }, options),
  );
}

/** Changes the pages of a group as they are now. */
export function changePages(id: number, edit: (ids: readonly number[]) => number[]): Promise<AccessGroup> {
  return changeRecord(
    () => api.access_groups.get(id),
    ({ pages }, options) => api.access_groups.replace_pages(id, { page_ids: edit(pages.map((page) => page.id)) }, options),
  );
}

/** What the pages of access groups change, and what they read again after 412. */
export const calls = api.access_groups;
