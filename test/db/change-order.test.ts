import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { CustomerRow } from '../../contract/customers.ts';
import { type Db, openStore, type Store } from '../../server/db/open.ts';
import { beginEraIfRestored } from '../../server/db/postgres/change-era.ts';
import { committedIn, MOST_OPEN } from '../../server/db/queries/change-cursors.ts';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { chooseSeed, type Random, seeded } from '../helpers/seeded.ts';

/** Lists of changes while transactions are open, which requests cannot keep open: none is missed, in whatever order they commit. */

type Held = { change(work: (db: Db) => Promise<unknown>): Promise<void>; end(how: 'commit' | 'rollback'): Promise<void> };

class RolledBack extends Error {}

/** Begins a transaction that does what `change` gives it, until it is ended. */
async function hold(store: Store): Promise<Held> {
  const begun = Promise.withResolvers<Db>();
  const ended = Promise.withResolvers<'commit' | 'rollback'>();
  const written = store.write(async (db) => {
    begun.resolve(db);
    if ((await ended.promise) === 'rollback') throw new RolledBack();
  });
  written.catch(begun.reject);
  const db = await begun.promise;
  return {
    change: async (work) => void (await work(db)),
    async end(how) {
      ended.resolve(how);
      await written.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    },
  };
}

const rename = (db: Db, id: number, name: string) =>
  sql`UPDATE customers SET name = ${name}, row_version = row_version + 1 WHERE id = ${id}`.execute(db);

/** Follows the changes of customers: what it knows of each, and from where it goes on. */
function createFollower(app: TestApp, random: Random) {
  const known = new Map<number, string>();
  let after = 'start';
  let pages: { cursor: string } | null = null;
  const take = (rows: readonly CustomerRow[]) => {
    for (const { id, name } of rows) {
      assert.notEqual(known.get(id), name, 'a change was listed a second time');
      known.set(id, name);
    }
  };
  return {
    known,
    /** Reads the next page of the list that it is reading, or begins the next list. True: that was a list's last page. */
    async read(): Promise<boolean> {
      const page = await app.client.customers.list({ after, per_page: 1 + random.below(3), ...pages });
      take(page.data);
      pages = page.next_cursor === null ? null : { cursor: page.next_cursor };
      if (pages === null) after = page.changes_cursor ?? assert.fail('there is no changes_cursor');
      return pages === null;
    },
  };
}

const seed = chooseSeed();

onBothStores(`changes and open transactions, seed ${seed}`, (app) => {
  let store: Store;
  const isSqlite = () => app().engine === 'sqlite';
  before(() => {
    // SQLite has one writer; from another connection, it could not be waited for in the same process.
    store = isSqlite() ? app().store : openStore({ url: app().databaseUrl, poolSize: 6 });
  });
  after(async () => {
    if (!isSqlite()) await store.close();
  });

  test('random changes, commits and rollbacks while several clients read: each sees every change exactly once', async () => {
    const random = seeded(seed);
    const truth = new Map<number, string>();
    for (let i = 0; i < 8; i++) {
      const { id, name } = await makeCustomer(app());
      truth.set(id, name);
    }
    const ids = [...truth.keys()];
    const followers = [1, 2, 3].map(() => createFollower(app(), random));
    // SQLite has one writer, so only one transaction can be open.
    const most = isSqlite() ? 1 : 5;
    const open: { held: Held; wrote: Map<number, string> }[] = [];
    let named = 0;
    const changeOne = async () => {
      const one = random.pick(open);
      // A row that another open transaction has changed is locked.
      const free = ids.filter((id) => open.every(({ wrote }) => wrote === one.wrote || !wrote.has(id)));
      if (free.length === 0) return;
      const id = random.pick(free);
      const name = `name ${++named}`;
      const isKept = random.below(4) > 0;
      await one.held.change(async (db) => {
        await sql`SAVEPOINT part`.execute(db);
        await rename(db, id, name);
        await sql.raw(isKept ? 'RELEASE SAVEPOINT part' : 'ROLLBACK TO SAVEPOINT part').execute(db);
      });
      // A row stays locked when its change is undone.
      one.wrote.set(id, isKept ? name : (one.wrote.get(id) ?? truth.get(id) ?? ''));
    };
    const endOne = async () => {
      const [{ held, wrote } = assert.fail()] = open.splice(random.below(open.length), 1);
      const how = random.below(4) > 0 ? 'commit' : 'rollback';
      await held.end(how);
      if (how === 'commit') for (const [id, name] of wrote) truth.set(id, name);
    };
    for (let step = 0; step < 150; step++) {
      const kind = random.below(10);
      if (open.length === 0 || (kind < 2 && open.length < most)) open.push({ held: await hold(store), wrote: new Map() });
      else if (kind < 5) await changeOne();
      else if (kind < 7) await endOne();
      else await random.pick(followers).read();
    }
    while (open.length > 0) await endOne();
    for (const follower of followers) {
      // The list that it was reading ends earlier; the next has the rest.
      while (!(await follower.read()));
      while (!(await follower.read()));
      assert.deepEqual(new Map([...follower.known].filter(([id]) => truth.has(id))), truth);
    }
  });

  test('a transaction that began first and commits last is listed then, and neither hides nor repeats those between', async () => {
    if (isSqlite()) return;
    const [first, second, third] = [await makeCustomer(app()), await makeCustomer(app()), await makeCustomer(app())];
    const { customers } = app().client;
    const list = async (after: string) => {
      const { data, changes_cursor: cursor = '' } = await customers.list({ after });
      return { ids: data.map(({ id }) => id), cursor };
    };
    const { cursor } = await list('start');
    const early = await hold(store);
    await early.change((db) => rename(db, first.id, 'early'));
    const late = await hold(store);
    await late.change((db) => rename(db, second.id, 'late'));
    await late.end('commit');
    await customers.update(third.id, { name: 'between' });
    const before = await list(cursor);
    assert.deepEqual(before.ids, [second.id, third.id]);
    assert.deepEqual((await list(before.cursor)).ids, []);
    await early.end('commit');
    assert.deepEqual((await list(before.cursor)).ids, [first.id]);
    assert.deepEqual((await list(cursor)).ids, [first.id, second.id, third.id]);
  });

  test('a list that began while a transaction was open does not take it in on a later page', async () => {
    if (isSqlite()) return;
    const { customers } = app().client;
    const { changes_cursor: after = '' } = await customers.list({ after: 'start' });
    const [one, two, three] = [await makeCustomer(app()), await makeCustomer(app()), await makeCustomer(app())];
    const held = await hold(store);
    await held.change((db) => rename(db, two.id, 'held'));
    const first = await customers.list({ after, per_page: 1 });
    await held.end('commit');
    const cursor = first.next_cursor ?? assert.fail('only one page');
    const rest = await customers.list({ after, cursor });
    assert.deepEqual(
      [first.data, rest.data].flat().map(({ id }) => id),
      [one.id, three.id],
    );
    const next = await customers.list({ after: rest.changes_cursor ?? '' });
    assert.deepEqual(
      next.data.map(({ id, name }) => [id, name]),
      [[two.id, 'held']],
    );
  });

  test('with more open transactions than a cursor holds, some changes come again, and none is missed', () => {
    const open = Array.from({ length: MOST_OPEN + 5 }, (_, n) => 100 + 2 * n);
    const moment = committedIn(`100:1000:${open.join(',')}`);
    assert.deepEqual(moment, { from: 100, to: open[MOST_OPEN], open: open.slice(0, MOST_OPEN) });
    assert.deepEqual(committedIn('100:1000:100,101'), { from: 100, to: 1000, open: [100, 101] });
    assert.deepEqual(committedIn('100:100:'), { from: 100, to: 100, open: [] });
  });

  test('a shop that was restored where its numbers are still to come begins a new era, and lists everything again', async () => {
    if (isSqlite()) return;
    const { customers } = app().client;
    const restored = await makeCustomer(app());
    const { changes_cursor: after = '' } = await customers.list({ after: 'start' });
    await beginEraIfRestored(store);
    assert.deepEqual((await customers.list({ after })).data, []);
    await store.write((db) => sql`UPDATE customers SET changed_in = changed_in + 1000000 WHERE id = ${restored.id}`.execute(db));
    await beginEraIfRestored(store);
    const answer = await app().request({ path: `/admin/api/customers?after=${after}` });
    assert.match(answer.text, /restored from a backup; begin again with after=start/);
    const again = await customers.list({ after: 'start', per_page: 100 });
    assert.ok(again.data.some(({ id }) => id === restored.id));
    await customers.update(restored.id, { name: 'changed since' });
    const changed = await customers.list({ after: again.changes_cursor ?? '' });
    assert.deepEqual(
      changed.data.map(({ id }) => id),
      [restored.id],
    );
  });

  test('after an older file was restored, no number is given a second time', async () => {
    if (!isSqlite()) return;
    const { customers } = app().client;
    const customer = await makeCustomer(app());
    const counted = () => store.write(async (db) => (await db.selectFrom('change_numbers').selectAll().executeTakeFirstOrThrow()).n);
    const before = await counted();
    const { changes_cursor: after = '' } = await customers.list({ after: 'start' });
    await store.write((db) => sql`UPDATE change_numbers SET n = 5`.execute(db));
    await customers.update(customer.id, { name: 'after the restoration' });
    assert.ok((await counted()) >= before);
    assert.deepEqual(
      (await customers.list({ after })).data.map(({ id }) => id),
      [customer.id],
    );
  });
});
