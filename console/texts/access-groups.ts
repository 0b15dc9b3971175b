import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

const english = {
  title: 'Access groups',
  count: (total: number) => counted(total, 'access group', 'access groups'),
  search: 'Name',
  empty: 'There is no access group yet. A group opens files and pages to its members, who join by buying or by hand.',
  create: 'New access group',
  add: 'Add',
  back: 'All access groups',
  details: 'Details',
  slugHint: 'By which the shop’s templates know the group.',
  fields: { name: 'Name', slug: 'Short name', description: 'Description' },
  remove: 'Delete…',
  removal: (members: number) =>
    members === 0
      ? 'Its files and pages stay; nothing gives access by this group any more.'
      : `${members === 1 ? 'Its member loses' : `Its ${members} members lose`} the access at once. Its files and pages stay.`,
  forever: 'without an end',
  files: { title: 'Files', none: 'There is no file yet.', find: 'Add a file of the library' },
  pages: { title: 'Pages', none: 'There is no page yet.', find: 'Add a page' },
  products: {
    title: 'Products',
    none: 'No product gives access. That is set at the product.',
    subscription: 'while it runs',
    days: (days: number) => (days === 1 ? 'one day' : `${countText(days)} days`),
  },
  members: {
    title: 'Members',
    none: 'Nobody has access yet.',
    grant: 'Give access…',
    give: 'Give access',
    customer: 'Customer',
    expires: 'Until',
    expiresHint: 'Empty: without an end.',
    note: 'Note',
    revokeTitle: (name: string) => `Revoke the access of ${name}?`,
  },
} as const;

export type AccessGroupsText = Words<typeof english>;
export const accessGroupsText = translated('accessGroups', english);
