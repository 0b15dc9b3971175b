import type { paths } from './schema.ts';

/**
 * What a client of others is made of: the types that openapi-typescript makes of the document, and plain fetch. The test
 * puts the types beside it, compiles it with the workspace's own TypeScript and runs it against a server.
 */

type Path = keyof paths;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type MethodOf<P extends Path> = { [M in Method]: paths[P][M] extends object ? M : never }[Method];
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined;
type InputOf<O> = (O extends { parameters: { path: infer Params } } ? { path: Params } : { path?: never }) &
  (O extends { parameters: { query?: infer Query } } ? { query?: Query } : unknown) &
  (O extends { parameters: { header?: infer Headers } } ? { headers?: Headers } : unknown) &
  (O extends { requestBody: infer Body } ? { body: JsonOf<Body> } : { body?: never });
type AnswerOf<O> = O extends { responses: infer R } ? JsonOf<R[keyof R & (200 | 201)]> : never;

class Refused extends Error {}

function clientOf(origin: string, token: string) {
  return async <P extends Path, M extends MethodOf<P>>(
    method: M,
    path: P,
    input: InputOf<paths[P][M]>,
  ): Promise<{ data: AnswerOf<paths[P][M]>; headers: Headers }> => {
    const {
      path: params = {},
      query = {},
      headers = {},
      body,
    }: { [Part in 'path' | 'query' | 'headers']?: object } & { body?: unknown } = input;
    const filled = Object.entries(params).reduce(
      (done, [name, value]) => done.replace(`{${name}}`, encodeURIComponent(String(value))),
      String(path),
    );
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const answer = await fetch(`${origin}${filled}?${search}`, {
      method: method.toUpperCase(),
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Refused(`${answer.status} ${text}`);
    return { data: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
  };
}

export async function sellSomething(origin: string, token: string) {
  const call = clientOf(origin, token);
  const { data: product } = await call('post', '/admin/api/products', { body: { name: 'Tea', slug: 'tea' } });
  const { data: variant } = await call('post', '/admin/api/products/{id}/variants', {
    path: { id: product.id },
    body: { sku: 'TEA-1', price_cents: 450, stock: 10 },
  });
  const { data: order } = await call('post', '/admin/api/orders', {
    headers: { 'Idempotency-Key': 'a-key-of-the-client' },
    body: {
      customer: { name: 'Ann', email: 'ann@example.com', phone: '' },
      items: [{ variant_id: variant.id, quantity: 2 }],
      shipping: { kind: 'none' },
      payment_status: 'none',
      register_customer: false,
      send_confirmation_email: false,
    },
  });
  const path = { id: order.id };
  const { headers } = await call('get', '/admin/api/orders/{id}', { path });
  const etag = headers.get('etag') ?? '';
  await call('patch', '/admin/api/orders/{id}/status', { path, headers: { 'If-Match': etag }, body: { status: 'processing' } });
  const stale = await call('patch', '/admin/api/orders/{id}/status', {
    path,
    headers: { 'If-Match': etag },
    body: { status: 'shipped' },
  }).then(
    () => 'taken',
    (error: unknown) => (error instanceof Refused ? error.message.slice(0, 3) : 'failed'),
  );
  const { data: found } = await call('get', '/admin/api/orders', { query: { status: 'processing', per_page: 5 } });
  return { stale, total: found.total, orders: found.data.map(({ id, total, status }) => [id === order.id, total, status]) };
}

/** Never called: what must not compile. */
export const wrong = [
  (call: ReturnType<typeof clientOf>) =>
    // @ts-expect-error no such status
    call('patch', '/admin/api/orders/{id}/status', { path: { id: 1 }, body: { status: 'lost' } }),
  (call: ReturnType<typeof clientOf>) =>
    // @ts-expect-error the path needs its id
    call('get', '/admin/api/orders/{id}', {}),
  (call: ReturnType<typeof clientOf>) =>
    // @ts-expect-error an order is not deleted
    call('delete', '/admin/api/orders/{id}', { path: { id: 1 } }),
  async (call: ReturnType<typeof clientOf>): Promise<string> =>
    // @ts-expect-error `total` is a number
    (await call('get', '/admin/api/orders', {})).data.total,
];
