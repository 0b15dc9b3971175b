import { type EvalCase, usualTurns } from '../case.ts';

const vouchers = ['admin_api.vouchers.write'];

export const cleanUpCases: readonly EvalCase[] = [
  {
    name: 'clean-up-vouchers',
    topic: 'clean-ups',
    wish: 'Clean up the vouchers whose validity has ended: delete those that no order uses, and switch the others off.',
    permissions: vouchers,
    changes: ({ vouchers: all, today }) =>
      all
        .filter(({ valid_to, active, used_count }) => valid_to !== null && valid_to.slice(0, 10) < today && (active || used_count === 0))
        .map(({ id, used_count }) => ({ type: 'voucher', id, after: used_count === 0 ? {} : { active: false } })),
    turns: usualTurns({
      query: 'vouchers delete',
      source: `
export default async function main() {
  const done = { deleted: 0, switched_off: 0 };
  for await (const { id, active, valid_to, used_count } of admin.vouchers.each({})) {
    if (valid_to === null || Date.parse(valid_to) >= Date.now()) continue;
    if (used_count === 0) {
      await admin.vouchers.delete(id);
      done.deleted += 1;
    } else if (active) {
      await admin.vouchers.update(id, { active: false });
      done.switched_off += 1;
    }
  }
  return done;
}
`,
      permissions: vouchers,
      says: 'Vouchers that have ended are deleted, or switched off where orders use them.',
    }),
  },
  {
    name: 'archive-drafts',
    topic: 'clean-ups',
    wish: 'Archive all products that are still drafts.',
    permissions: ['admin_api.products.write'],
    changes: ({ products }) =>
      products.filter(({ status }) => status === 'draft').map(({ id }) => ({ type: 'product', id, after: { status: 'archived' } })),
    turns: usualTurns({
      query: 'products status archived',
      source: `
export default async function main() {
  let archived = 0;
  for await (const { id } of admin.products.each({ status: 'draft' })) {
    await admin.products.update(id, { status: 'archived' });
    archived += 1;
  }
  return { archived };
}
`,
      permissions: ['admin_api.products.write'],
      says: 'All drafts are archived.',
    }),
  },
];
