import type { ExampleShop } from './example.ts';

/** A colleague who writes versions, which the owner decides on. */
export async function colleague({ api, as }: ExampleShop): Promise<ExampleShop['api']> {
  const { data } = await api.admins.list({ search: 'Grace Whelan' });
  const id = data[0]?.id ?? (await api.admins.create({ name: 'Grace Whelan', email: 'grace@example.org', role: 'owner' })).id;
  const { token } = await api.admins.create_token(id, { name: 'laptop' });
  return as(token ?? '');
}
