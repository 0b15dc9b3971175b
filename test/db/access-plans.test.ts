import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { migrate } from '../../server/db/migrate.ts';
import { type Db, openStore, type Store } from '../../server/db/open.ts';
import { sqlite } from '../../server/db/sqlite/sqlite-dialect.ts';
import * as groups from '../../server/resources/access-groups/store.ts';
import * as entitlements from '../../server/resources/entitlements/store.ts';
import { openPlans, type Plans, watchStatements } from '../helpers/query-plans.ts';
import { storeCustomer } from '../helpers/stored-rows/shop.ts';
import { createDatabase, type TestDatabase } from '../helpers/stores.ts';

/** How SQLite executes statements about groups with very many members: each statement must find its rows through an index. */

let database: TestDatabase;
let store: Store;
let watch: ReturnType<typeof watchStatements>;
let plans: Plans;

before(async () => {
  database = await createDatabase('sqlite');
  store = openStore({ url: database.url });
  await migrate(store);
  await storeCustomer(store);
  await store.write((db) => groups.insertGroup(db, { slug: 'a', name: 'a', description: null }, now));
  watch = watchStatements(database.url);
  plans = openPlans(database.url);
});
after(async () => {
  watch.stop();
  plans.close();
  await store.close();
  await database.drop();
});

const now = '2026-05-01T12:00:00.000Z';
const at = (db: Db) => ({ db, dialect: sqlite });

const expected: [name: string, work: (db: Db) => Promise<unknown>, steps: RegExp[]][] = [
  [
    'groups with their counts',
    (db) => groups.selectGroups(db, { now }),
    [
      /^SCAN access_groups USING INDEX access_groups_by_name$/,
      /SEARCH access_group_members USING COVERING INDEX access_group_members_by_end \(group_id=\? AND until>\?\)/,
      /SEARCH product_access_groups USING COVERING INDEX product_access_groups_by_group \(group_id=\?\)/,
    ],
  ],
  [
    'files of a group',
    (db) => groups.selectFiles(db, { groupId: 1 }),
    [/SEARCH access_group_files USING COVERING INDEX access_group_files_by_order/],
  ],
  [
    'pages of a group',
    (db) => groups.selectPages(db, { groupId: 1 }),
    [/SEARCH access_group_pages USING COVERING INDEX access_group_pages_by_order/],
  ],
  [
    'members of a group',
    (db) => entitlements.selectMembersOfGroup(db, { id: 1, now }),
    [/SEARCH entitlements USING INDEX entitlements_by_group/],
  ],
  [
    'groups of a customer',
    (db) => entitlements.selectMembershipsOf(db, { id: 1, now }),
    [/SEARCH entitlements USING INDEX entitlements_(by|of)_customer \(customer_id=\?/],
  ],
  [
    'what an order gives',
    (db) => entitlements.selectOffersOfOrder(db, { orderId: 1 }),
    [/SEARCH order_items USING INDEX order_items_by_order/],
  ],
  ['what an order gave', (db) => entitlements.selectOfOrder(db, { orderId: 1 }), [/USING INDEX entitlements_by_order \(order_id=\?\)/]],
  [
    'the end of removed products',
    (db) => entitlements.deleteOfProducts(db, 1, [1, 2]),
    [/USING (COVERING )?INDEX entitlements_by_order \(order_id=\? AND product_id=\?\)/],
  ],
  [
    'the state of a subscription',
    (db) => entitlements.setAccessOfSubscription(db, 1, { expires_at: null, withheld: null }),
    [/USING COVERING INDEX entitlements_by_subscription/],
  ],
  [
    'until when members have access',
    (db) => entitlements.refreshMembers(db, [{ group_id: 1, customer_id: 1 }]),
    [
      /SEARCH access_group_members USING (COVERING )?INDEX sqlite_autoindex_access_group_members_1 \(group_id=\? AND customer_id=\?\)/,
      /SEARCH entitlements USING INDEX entitlements_by_(group|customer) \(\w+=\? AND \w+=\?\)/,
    ],
  ],
  [
    'members held',
    (db) => entitlements.lockMembers(at(db), [1, 2]),
    [
      /SEARCH access_group_members USING COVERING INDEX sqlite_autoindex_access_group_members_1 \(group_id=\? AND customer_id=\?\)/,
      /SEARCH entitlements USING INDEX entitlements_by_order \(order_id=\?\)/,
    ],
  ],
];

for (const [name, work, steps] of expected) {
  test(`${name}: the statement uses an index`, async () => {
    watch.seen.length = 0;
    await store.write((db) => work(db));
    const found = watch.seen.filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text)).flatMap(plans.planOf);
    assert.ok(found.length > 0, 'no statement was seen');
    for (const step of steps)
      assert.ok(
        found.some((one) => step.test(one)),
        `${step}\n${found.join('\n')}`,
      );
    const scans = found.filter((one) => /^SCAN (?!access_groups USING INDEX|\d+-ROW|CONSTANT)/.test(one));
    assert.deepEqual(scans, []);
  });
}
