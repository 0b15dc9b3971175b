import fc from 'fast-check';
import { act, expectRecord, idOf } from './act.ts';
import { type Model, manner, NOBODY, nth, pick, step, stepsOf } from './model.ts';

/** Pages, and the access groups that show them. */

const slug = fc.constantFrom('alpha', 'beta', 'gamma', 'delta');
const text = fc.constantFrom('First', 'Second', 'Straße 🙂', ' trimmed ');
const shown = (value: string): string => value.trim();

function slugTaken(records: ReadonlyMap<number, { slug: string }>, wanted: string | undefined, id: number | null): string | null {
  return [...records].some(([other, one]) => other !== id && one.slug === wanted) ? 'slug_taken' : null;
}

const createPage = step({ slug, title: text, manner }, async ({ session, model: { pages } }, { manner: how, ...body }) => {
  const answer = await act(session, {
    id: 'pages.create',
    path: '/pages',
    body,
    manner: how,
    refusal: slugTaken(pages, body.slug, null),
  });
  if (answer) pages.set(idOf(answer), { slug: body.slug, title: shown(body.title), published: false, meta_title: '' });
});

const changePage = step(
  {
    n: nth,
    body: fc.record({ slug, title: text, published: fc.boolean(), meta_title: text }, { requiredKeys: [], noNullPrototype: true }),
    manner,
  },
  async ({ session, model: { pages } }, { n, body, manner: how }) => {
    const [id, page] = pick(pages, n) ?? [];
    if (id === undefined || page === undefined) return;
    const wanted = { ...page, ...body, ...(body.title === undefined ? {} : { title: shown(body.title) }) };
    const raises = JSON.stringify(wanted) !== JSON.stringify(page);
    const refusal = slugTaken(pages, body.slug, id);
    if (await act(session, { id: 'pages.update', path: `/pages/${id}`, body, manner: how, refusal, raises })) pages.set(id, wanted);
    await expectRecord(session, `/pages/${id}`, pages.get(id) ?? null);
  },
);

const deletePage = step({ n: nth, manner }, async ({ session, model: { pages, groups } }, { n, manner: how }) => {
  const [id = NOBODY] = pick(pages, n) ?? [];
  const refusal = pages.has(id) ? null : 'not_found';
  if (!(await act(session, { id: 'pages.delete', path: `/pages/${id}`, manner: how, refusal }))) return;
  pages.delete(id);
  for (const group of groups.values()) group.pages = group.pages.filter((one) => one !== id);
  await expectRecord(session, `/pages/${id}`, null);
});

const createGroup = step({ slug, name: text, manner }, async ({ session, model: { groups } }, { manner: how, ...body }) => {
  const refusal = slugTaken(groups, body.slug, null);
  const answer = await act(session, { id: 'access_groups.create', path: '/access-groups', body, manner: how, refusal });
  if (answer) groups.set(idOf(answer), { slug: body.slug, name: shown(body.name), description: null, pages: [] });
});

const changeGroup = step(
  { n: nth, slug, name: text, description: fc.option(fc.constantFrom('', 'For members')), manner },
  async ({ session, model: { groups } }, { n, manner: how, ...body }) => {
    const [id, group] = pick(groups, n) ?? [];
    if (id === undefined || group === undefined) return;
    const wanted = { ...group, ...body, name: shown(body.name) };
    const raises = JSON.stringify(wanted) !== JSON.stringify(group);
    const refusal = slugTaken(groups, body.slug, id);
    const accepted = await act(session, { id: 'access_groups.update', path: `/access-groups/${id}`, body, manner: how, refusal, raises });
    if (accepted) groups.set(id, wanted);
  },
);

const replacePages = step(
  { n: nth, chosen: fc.array(nth, { maxLength: 3 }), manner },
  async ({ session, model: { groups, pages } }, { n, chosen, manner: how }) => {
    const [id, group] = pick(groups, n) ?? [];
    if (id === undefined || group === undefined) return;
    const page_ids = [...new Set(chosen.map((one) => pick(pages, one)?.[0] ?? NOBODY))];
    const refusal = page_ids.includes(NOBODY) ? 'page_not_found' : null;
    const raises = sorted(page_ids).join() !== sorted(group.pages).join();
    const path = `/access-groups/${id}/pages`;
    const accepted = await act(session, {
      id: 'access_groups.replace_pages',
      path,
      body: { page_ids },
      manner: how,
      refusal,
      ...(raises && { raises }),
    });
    if (accepted) group.pages = page_ids;
  },
);

const deleteGroup = step({ n: nth, manner }, async ({ session, model: { groups } }, { n, manner: how }) => {
  const [id = NOBODY] = pick(groups, n) ?? [];
  const refusal = groups.has(id) ? null : 'not_found';
  if (!(await act(session, { id: 'access_groups.delete', path: `/access-groups/${id}`, manner: how, refusal }))) return;
  groups.delete(id);
  await expectRecord(session, `/access-groups/${id}`, null);
});

export const pageSteps = stepsOf({
  make: [createPage, createGroup],
  change: [changePage, changeGroup, replacePages],
  remove: [deletePage, deleteGroup],
});

const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);

/** The fields of a group that its read shows, but for its pages. */
export function shownGroup({ pages: _, ...group }: Model['groups'] extends Map<number, infer G> ? G : never) {
  return group;
}
