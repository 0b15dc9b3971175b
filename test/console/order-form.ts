import { makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import type { OpenPage } from './browser.ts';
import type { Console } from './open-console.ts';

/** Orders that are edited in the console, and the parts of their form. */
export function orderForms(shop: () => Console) {
  /** An order of one cup for 10.00 and two tins for 5.00 each; both are in stock. */
  async function order(values: Parameters<typeof makeOrder>[1] = {}) {
    const cup = await makeVariant(shop(), { product_id: (await makeProduct(shop(), { name: 'Cup' })).id, price_cents: 1000 });
    const tin = await makeVariant(shop(), { product_id: (await makeProduct(shop(), { name: 'Tin' })).id, price_cents: 500, stock: 10 });
    const made = await makeOrder(shop(), values, [
      { variant: cup, quantity: 1 },
      { variant: tin, quantity: 2 },
    ]);
    return { ...made, cup, tin };
  }

  async function openOrder(id: number, more: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
    const page = await shop().open({ path: `/orders?open=${id}`, width: 1440, ...more });
    await page.getByRole('table', { name: 'Totals' }).waitFor();
    return page;
  }

  /** Opens an order, and its form. */
  async function editOrder(id: number, more: Parameters<Console['open']>[0] = {}): Promise<OpenPage> {
    const page = await openOrder(id, more);
    await edit(page);
    return page;
  }

  async function edit(page: OpenPage): Promise<void> {
    await page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click();
    await save(page).waitFor();
  }

  const cell = (page: OpenPage, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) }).getByRole('cell');
  const quantity = (page: OpenPage, name: string) => page.getByLabel(`Quantity of ${name}`);
  const form = (page: OpenPage) => page.getByRole('form', { name: 'Edit the order' });
  const save = (page: OpenPage) => form(page).getByRole('button', { name: 'Save' });

  return { order, openOrder, editOrder, edit, cell, quantity, form, save };
}
