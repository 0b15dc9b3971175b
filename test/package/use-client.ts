import { ApiError, connect } from '../../client/index.ts';

/** What a browser and Deno do with the client of the package, behind a network that loses one answer and cuts one stream. */
export async function useClient(url: string, token: string) {
  const shop = connect({ url, token, retries: { firstMs: 20 } });
  const { api } = shop;
  const person = (name: string) => ({ name, email: `${name.toLowerCase()}-${crypto.randomUUID()}@example.com` });

  const page = await api.customers.list({ search: 'row-', per_page: 2 });
  let rows = 0;
  for await (const _ of api.customers.each({ search: 'row-' })) rows += 1;

  const lost = await api.customers.create(person('Lost'));
  const found = await api.customers.list({ search: lost.email });

  const idOf = (data: unknown): number => Number(Object(data).id);
  const changes = shop.follow('/changes');
  const reading = changes.next();
  const begun: number[] = [];
  void reading.then(({ value }) => begun.push(idOf(value?.data)));
  const made: number[] = [];
  // Until the stream is open, nothing is told.
  while (begun.length === 0) made.push((await api.customers.create(person('Early'))).id);
  for (let n = 0; n < 5; n++) made.push((await api.customers.create(person('Later'))).id);
  const told = new Set(begun);
  for await (const { data } of changes) {
    told.add(idOf(data));
    if (idOf(data) === made.at(-1)) break;
  }
  const missed = made.filter((id) => id >= (begun[0] ?? 0) && !told.has(id));

  const refusal: unknown = await api.customers.create({ name: '', email: 'none' }).catch((error: unknown) => error);
  const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => n % 251);
  const { id } = Object(await shop.upload('/files', new Blob([bytes]), 'bytes.bin'));
  const back = new Uint8Array(await (await shop.download(`/files/${id}/content`)).arrayBuffer());
  return {
    page: page.data.length,
    rows,
    madeOnce: found.data.length,
    missed,
    refused: refusal instanceof ApiError ? [refusal.status, refusal.errors.map(({ pointer }) => pointer).sort()] : String(refusal),
    sameBytes: back.length === bytes.length && back.every((byte, n) => byte === bytes[n]),
  };
}
