import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryOut } from '../../server/db/checks/check.ts';
import { shopChecks } from '../../server/db/checks/shop.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { picture } from '../helpers/images.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('the order of products, and their images', (app) => {
  const products = () => app().client.products;

  type Sort = 'name' | '-name' | 'price' | '-price' | 'stock' | '-stock';

  /** The names of what is found, read page by page. */
  async function namesBy(sort: Sort, search: string): Promise<string[]> {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await products().list({ search, sort, per_page: 2, ...(cursor === undefined ? {} : { cursor }) });
      names.push(...page.data.map(({ name }) => name.replace(`${search} `, '')));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return names;
  }

  test('PD1: products are sorted by name, lowest price and counted stock, page by page, in both directions', async () => {
    const dear = await makeProduct(app(), { name: 'Sorted äpple' });
    await makeVariant(app(), { product_id: dear.id, price_cents: 900, stock: 5 });
    await makeVariant(app(), { product_id: dear.id, price_cents: 700, stock: -2, allow_backorder: true });
    const cheap = await makeProduct(app(), { name: 'Sorted Banana' });
    await makeVariant(app(), { product_id: cheap.id, price_cents: 50, stock: 40 });
    const loose = await makeProduct(app(), { name: 'Sorted cherry' });
    await makeVariant(app(), { product_id: loose.id, price_cents: 60, track_stock: false, stock: 1 });
    await makeProduct(app(), { name: 'Sorted date' });
    assert.deepEqual(await namesBy('name', 'Sorted'), ['äpple', 'Banana', 'cherry', 'date']);
    assert.deepEqual(await namesBy('-name', 'Sorted'), ['date', 'cherry', 'Banana', 'äpple']);
    assert.deepEqual(await namesBy('price', 'Sorted'), ['date', 'Banana', 'cherry', 'äpple']);
    assert.deepEqual(await namesBy('-price', 'Sorted'), ['äpple', 'cherry', 'Banana', 'date']);
    assert.deepEqual(await namesBy('stock', 'Sorted'), ['äpple', 'Banana', 'cherry', 'date']);
    assert.deepEqual((await products().list_ids({ search: 'Sorted', sort: '-price' })).ids.at(0), dear.id);
    const { next_cursor } = await products().list({ search: 'Sorted', sort: 'price', per_page: 1 });
    await refused(products().list({ search: 'Sorted', sort: 'stock', cursor: next_cursor ?? '' }), 422, 'invalid_value');
  });

  test('PD1: the order follows every change of a variant: by hand, by an order, by its deletion', async () => {
    const [one, other] = [await makeProduct(app(), { name: 'Moving one' }), await makeProduct(app(), { name: 'Moving other' })];
    const variant = await makeVariant(app(), { product_id: one.id, price_cents: 100, stock: 10 });
    const still = await makeVariant(app(), { product_id: other.id, price_cents: 150, stock: 8 });
    const by = async (sort: Sort) => (await namesBy(sort, 'Moving'))[0];
    assert.deepEqual([await by('price'), await by('stock')], ['one', 'other']);
    await products().update_variant(variant.id, { price_cents: 200 });
    assert.equal(await by('price'), 'other');
    const order = await makeOrder(app(), {}, [{ variant, quantity: 3 }]);
    assert.equal(await by('stock'), 'one');
    await app().client.orders.update_status(order.id, { status: 'cancelled' });
    assert.equal(await by('stock'), 'other');
    await products().change_stock(still.id, { delta: 5, reason: 'delivery' });
    assert.equal(await by('stock'), 'one');
    const low = await makeVariant(app(), { product_id: one.id, price_cents: 1, stock: 90 });
    assert.deepEqual([await by('price'), await by('stock')], ['one', 'other']);
    await products().delete_variant(low.id);
    assert.deepEqual([await by('price'), await by('stock')], ['other', 'one']);
    await products().update_variant(variant.id, { track_stock: false });
    assert.equal(await by('stock'), 'other');
    for (const check of shopChecks) assert.deepEqual((await carryOut(app().store.reader, check)).faults, [], check.name);
  });

  test('PD1: the ids of all products that match are listed in the order of the list', async () => {
    const made = [];
    for (const n of [2, 1, 3]) made.push(await makeProduct(app(), { name: `Counted ${n}`, status: n > 1 ? 'active' : 'draft' }));
    const [two, one, three] = made.map(({ id }) => id);
    assert.deepEqual(await products().list_ids({ q: 'counted', sort: 'name' }), { ids: [one, two, three], total: 3 });
    assert.deepEqual(await products().list_ids({ q: 'counted', sort: '-name', status: 'active' }), { ids: [three, two], total: 2 });
    assert.deepEqual(await products().list_ids({ q: 'nothing at all' }), { ids: [], total: 0 });
  });

  test('PD8: the first image of each product is told at once, in the order of the ids', async () => {
    const upload = async (filename: string, content: Buffer) =>
      (await app().client.media.create({ file: { filename, content, content_type: 'image/png' } })).id;
    const [red, blue] = [await upload('red.png', picture(2, 2, [255, 0, 0])), await upload('blue.png', picture(3, 3, [0, 0, 255]))];
    const bare = await makeProduct(app());
    const both = await makeProduct(app(), { media_ids: [blue, red] });
    const single = await makeProduct(app(), { media_ids: [red] });
    const images = await products().list_images({ ids: `${single.id},${bare.id},999999,${both.id},${single.id}` });
    assert.deepEqual(
      images.map(({ product_id, media_id }) => [product_id, media_id]),
      [
        [single.id, red],
        [both.id, blue],
      ],
    );
    const { url, size_bytes } = await app().client.media.get(red);
    assert.deepEqual(images[0], { product_id: single.id, media_id: red, url, size_bytes });
    await products().update(both.id, { media_ids: [red, blue] });
    assert.equal((await products().list_images({ ids: `${both.id}` }))[0]?.media_id, red);
    for (const ids of ['1,', 'one', '1;2', Array.from({ length: 101 }, (_, n) => n + 1).join()])
      await refused(products().list_images({ ids }), 422, 'invalid_value');
  });
});
