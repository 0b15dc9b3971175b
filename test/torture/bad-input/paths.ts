import { isWrite } from '../../../contract/endpoint.ts';
import { type Aim, requestOf } from './endpoints.ts';
import type { Target } from './shop.ts';
import { hostileHeaders, hostileIds } from './values.ts';

/** Puts a bad value in the place of each number in each path; the server must refuse all of them. */
export async function firePaths(target: Target, aims: readonly Aim[]): Promise<number> {
  let cases = 0;
  for (const aim of aims) {
    const numbers = [...aim.path.matchAll(/\/\d+/g)];
    for (const { index, 0: found } of numbers) {
      for (const id of hostileIds) {
        cases += 1;
        const path = `${aim.path.slice(0, index)}/${id}${aim.path.slice(index + found.length)}`;
        const { status } = await target.sendChecked(`${aim.endpoint.method} ${path}`, { ...requestOf(aim), path });
        target.check(status >= 400, `${aim.endpoint.method} ${path}: ${status}`);
      }
    }
  }
  return cases;
}

export async function fireHeaders(target: Target, aims: readonly Aim[]): Promise<number> {
  let cases = 0;
  for (const aim of aims) {
    for (const [name, value] of hostileHeaders) {
      if (isWrite(aim.endpoint) ? name === 'if-none-match' : name !== 'if-none-match') continue;
      cases += 1;
      // A DELETE gets an id that does not exist, because other requests still need the record.
      const path = aim.endpoint.method === 'DELETE' ? aim.path.replace(/\d+$/, '0') : aim.path;
      await target.sendChecked(`${aim.endpoint.id} with ${name}: ${value.slice(0, 40)}`, {
        ...requestOf(aim),
        path,
        headers: { [name]: value },
      });
    }
  }
  return cases;
}

/** Requests paths outside the admin API, which need no token: files, downloads, webhooks. */
export async function fireOutside(target: Target, strings: readonly string[]): Promise<number> {
  const roots = ['/downloads', '/media', '/problems'];
  for (const [n, text] of strings.entries()) {
    const root = roots[n % roots.length];
    const path = `${root}/${encodeURIComponent(text.toWellFormed())}`;
    const { status } = await target.sendChecked(`GET ${path.slice(0, 200)}`, { method: 'GET', path });
    target.check(status >= 400, `GET ${path.slice(0, 200)}: ${status}`);
    await target.sendChecked(`webhook of ${JSON.stringify(text).slice(0, 100)}`, {
      method: 'POST',
      path: '/webhooks/stripe',
      body: JSON.stringify({ id: text, type: text }),
      headers: { 'stripe-signature': `t=${n},v1=${Buffer.from(text).toString('hex').slice(0, 64)}` },
    });
  }
  return strings.length * 2;
}

/** Calls every DELETE endpoint with its record; this comes last, because other requests need these records. */
export async function fireDeletes(target: Target, aims: readonly Aim[]): Promise<number> {
  const deletes = aims.filter(({ endpoint }) => endpoint.method === 'DELETE');
  for (const aim of deletes) await target.sendChecked(`${aim.endpoint.id} as it should be`, requestOf(aim));
  return deletes.length;
}
