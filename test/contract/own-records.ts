import { z } from 'zod';
import { type Request, RUNNER_TOKEN, type Target } from '../torture/bad-input/shop.ts';

/** Successful requests that need their own record: one that nothing uses yet, or a run with everything that a runner does. */
export async function useOwnRecords(target: Target): Promise<void> {
  const at = callsOf(target);
  const group = await at.post('/access-groups', { slug: 'own-records', name: 'Own records' });
  const customer = await at.post('/customers', { name: 'Own records', email: 'own-records@example.com' });
  const some = { customer_ids: [customer] };
  await at.send({ method: 'POST', path: '/customers/bulk/preview', body: { ...some, change: { kind: 'credits', delta: 1 } } });
  await at.send({ method: 'POST', path: '/customers/bulk-discount-group', body: { ...some, discount_group_id: null } });
  await at.send({ method: 'POST', path: '/customers/bulk-credits', body: { ...some, delta: 1 } });
  const grant = await at.post(`/access-groups/${group}/grants`, { customer_id: customer, expires_at: null });
  await at.remove(`/access-grants/${grant}`);
  await at.send({ method: 'PATCH', path: `/customers/${customer}`, body: { name: 'Own edit' } });
  const { data } = Entries.parse(await at.get(`/audit-log?resource_type=customer&resource_id=${customer}`));
  await at.get(`/audit-log/${data[0].id}/undo`);
  await at.send({ method: 'POST', path: `/audit-log/${data[0].id}/undo`, body: {} });
  const product = await at.post('/products', { slug: 'own-records', name: 'Own records', status: 'active' });
  const variant = await at.post(`/products/${product}/variants`, { sku: 'OWN-RECORDS', price_cents: 100, stock: 10 });
  await at.get(`/products/images?ids=${product}`);
  const ids = [product];
  await at.send({ method: 'POST', path: '/products/bulk/preview', body: { ids, change: { kind: 'delete' } } });
  await at.send({ method: 'POST', path: '/products/bulk-status', body: { ids, status: 'active' } });
  await at.send({ method: 'POST', path: '/variants/bulk-prices', body: { prices: [{ id: variant, price_cents: 100 }] } });
  await at.send({ method: 'POST', path: '/variants/bulk-stock', body: { changes: [{ id: variant, delta: 1 }], reason: 'own' } });
  const gone = await at.post('/products', { slug: 'own-gone', name: 'Own gone' });
  await at.send({ method: 'POST', path: '/products/bulk-delete', body: { ids: [gone] } });

  await useGatheredStarts(at);
  const hook = await at.post('/webhook-endpoints', { url: 'https://own-records.invalid/hook', events: ['order.created'] });
  const order = await at.post('/orders', orderOf(variant));
  await at.post(`/orders/${order}/payments`, { label: 'Own records', amount_cents: 1 });
  const comments = `/orders/${order}/comments`;
  const comment = `${comments}/${await at.post(comments, { body: 'Own records' })}`;
  await at.get(comment);
  await at.send({ method: 'PATCH', path: comment, body: { body: 'Own' } });
  await at.remove(comment);
  const notes = `/customers/${customer}/notes`;
  const note = `${notes}/${await at.post(notes, { body: 'Own records' })}`;
  await at.get(note);
  await at.send({ method: 'PATCH', path: note, body: { body: 'Own' } });
  const [delivery] = Rows.parse(await at.get(`/webhook-endpoints/${hook}/deliveries`));
  await at.post(`/webhook-endpoints/${hook}/deliveries/${delivery?.id}/retry`);
  await at.remove(`/webhook-endpoints/${hook}`);
  await at.remove(`/roles/${await at.post('/roles', { name: 'Own records' })}`);
  await at.send({ method: 'POST', path: '/me/gestures', body: { method: 'POST', path: '/roles', body: { name: 'Asked' } } });
  await at.remove(`/admin-agents/${await at.post('/me/agents', { name: 'Own records', permissions: [] })}`);
  const page = await at.post('/pages', { slug: 'own-records', title: 'Own records' });
  const draft = { method: 'PUT', path: `/pages/${page}/draft`, body: { title: 'Own draft' } };
  await at.send(draft);
  await at.send({ method: 'POST', path: `/pages/${page}/draft/publish` });
  await at.send({ ...draft, body: { title: 'Other draft' } });
  await at.remove(`/pages/${page}/draft`);
  const theme = await at.post('/themes', { name: 'Own records' });
  await at.send({ method: 'PUT', path: `/themes/${theme}/templates/own`, body: { content: 'own' } });
  await at.get(`/themes/${theme}/templates/own`);
  await at.get('/task-examples/welcome-note');
  const opened = Opened.parse(await at.send({ method: 'POST', path: `/orders/${order}/shipments` }));
  const [offer] = opened.courier_options;
  await at.post(`/orders/${order}/shipments/${opened.shipment.id}/buy-label`, offer);
}

const Entries = z.object({ data: z.tuple([z.object({ id: z.int() })]).rest(z.unknown()) });

/** Lets a trigger gather events, opens one start and drops the other. */
async function useGatheredStarts(at: ReturnType<typeof callsOf>): Promise<void> {
  const body = { name: 'Own records', description: '', source_code: 'log(1)', permissions: [], parameters: [] };
  const { task_id: id } = z.object({ task_id: z.int() }).parse(await at.send({ method: 'POST', path: '/ai-tasks', body }));
  const start = { debounce: { key: 'inquiry_id', ms: 3_600_000 } };
  await at.post(`/ai-tasks/${id}/triggers`, { event: 'inquiry.received', start });
  for (let n = 0; n < 2; n += 1) await at.post('/inquiries', { name: 'Own', email: 'own@example.com', body: 'Own' });
  const Starts = z.object({ starts: z.array(z.object({ id: z.int() })) });
  for (;;) {
    const [one, other] = Starts.parse(await at.get(`/ai-tasks/${id}/gathered-starts`)).starts;
    if (!one || !other) continue;
    await at.send({ method: 'POST', path: `/ai-tasks/${id}/gathered-starts/${one.id}/open` });
    await at.remove(`/ai-tasks/${id}/gathered-starts/${other.id}`);
    return;
  }
}

const ghent = { line1: 'High St 1', city: 'Ghent', postal_code: '9000', country: 'BE' };
const orderOf = (variant_id: number) => ({
  customer: { name: 'Own records', email: 'own-records@example.com', phone: '' },
  items: [{ variant_id, quantity: 1 }],
  shipping_address: ghent,
  shipping: { kind: 'none' },
  payment_status: 'paid',
  register_customer: false,
  send_confirmation_email: false,
});

/** Requests with a link that works once. */
export async function useOwnLinks(target: Target): Promise<void> {
  const at = callsOf(target);
  const { code } = z.object({ code: z.string() }).parse(await at.send({ method: 'POST', path: '/me/sign-in-links', body: {} }));
  await at.send({ method: 'POST', path: '/sign-in', body: { code } });
  const invited = await at.post('/admin-invitations', { email: 'own-links@example.com' });
  const sent = await at.send({ method: 'POST', path: `/admin-invitations/${invited}/resend`, body: {} });
  const { code: joining } = z.object({ code: z.string() }).parse(sent);
  await at.send({ method: 'POST', path: '/admin-invitations/preview', body: { code: joining } });
  await at.send({ method: 'POST', path: '/admin-invitations/accept', body: { code: joining, name: 'Own links' } });
  await at.remove(`/admin-invitations/${await at.post('/admin-invitations', { email: 'own-invited@example.com' })}`);
  await at.send({ method: 'POST', path: '/me/download-links', body: { path: `/files/${await at.upload('/files')}/content` } });
}

/** Requests about versions that another admin approves or rejects. */
export async function useOwnVersions(target: Target): Promise<void> {
  const at = callsOf(target);
  const author = await at.post('/admins', { name: 'Own versions', email: 'own-versions@example.com', role: 'owner' });
  const { token } = Token.parse(await at.send({ method: 'POST', path: `/admins/${author}/tokens`, body: { name: 'own' } }));
  await at.send({ method: 'PATCH', path: '/settings', body: { approval_policy: 'second_admin' } });
  const body = { name: 'Own versions', description: '', source_code: 'log(1)', permissions: [], parameters: [] };
  for (const decision of ['approve', 'reject', 'request-changes'] as const) {
    const { task_id, version_id } = Task.extend({ version_id: z.int() }).parse(
      await at.send({ method: 'POST', path: '/ai-tasks', body, token }),
    );
    const path = `/ai-tasks/${task_id}/versions/${version_id}`;
    const { source_sha256 } = z.object({ source_sha256: z.string() }).parse(await at.get(path));
    await at.send({
      method: 'POST',
      path: `${path}/${decision}`,
      body: { approve: { source_sha256, permissions: [] }, reject: { reason: 'own' }, 'request-changes': { comment: 'own' } }[decision],
    });
  }
  await at.send({ method: 'PATCH', path: '/settings', body: { approval_policy: 'author' } });
  const { task_id, version_id } = Task.extend({ version_id: z.int() }).parse(await at.send({ method: 'POST', path: '/ai-tasks', body }));
  await changePolicy(at, token);
  const comment = await at.post(`/ai-tasks/${task_id}/versions/${version_id}/comments`, { line: 1, text: 'own' });
  const path = `/ai-tasks/${task_id}/comments/${comment}`;
  await at.post(`${path}/answers`, { text: 'own' });
  await at.get(path);
  await at.send({ method: 'PATCH', path, body: { resolved: true } });
}

/** A rule of two owners, and its end by both. `token`: another owner's. */
async function changePolicy(at: ReturnType<typeof callsOf>, token: string): Promise<void> {
  await at.send({ method: 'PATCH', path: '/settings', body: { policy_four_eyes: true } });
  const off = { method: 'PATCH', path: '/settings', body: { policy_four_eyes: false } };
  const propose = async () => Made.parse(await at.send({ method: 'POST', path: '/policy-changes', body: off, token })).id;
  await at.send({ method: 'POST', path: `/policy-changes/${await propose()}/decline`, body: { reason: 'own' } });
  await at.send({ method: 'POST', path: `/policy-changes/${await propose()}/apply` });
}

/** A task that is paused because its second version fails, and goes on. */
async function pauseAndContinue(at: ReturnType<typeof callsOf>): Promise<void> {
  const version = { source_code: 'log(1)', permissions: [], parameters: [] };
  const { task_id: id } = Task.parse(
    await at.send({ method: 'POST', path: '/ai-tasks', body: { name: 'Own trial', description: '', ...version } }),
  );
  await at.send({ method: 'PATCH', path: `/ai-tasks/${id}`, body: { settings: { trial: {} } } });
  const end = async (status: string) => {
    const path = `/ai-tasks/${id}/runs`;
    const { run_id } = Run.parse(await at.send({ method: 'POST', path, body: { executor: 'external' } }));
    await at.send({ method: 'PATCH', path: `${path}/${run_id}`, body: { events: [{ kind: 'finalize', status }] } });
  };
  for (let run = 0; run < 5; run += 1) await end('success');
  const { version_id } = Version.parse(await at.send({ method: 'POST', path: `/ai-tasks/${id}/versions`, body: version }));
  for (let run = 0; run < 5; run += 1) await end('failed');
  await at.send({ method: 'POST', path: `/ai-tasks/${id}/versions/${version_id}/continue`, body: {} });
}

/** Requests of a runner and a script until the end of a run, and requests about the ended run. */
const END = [{ kind: 'finalize', status: 'success' }];

export async function useOwnRuns(target: Target): Promise<void> {
  const at = callsOf(target);
  const version = {
    source_code: 'log(1)',
    permissions: ['file_upload', 'file_download', 'prompt_input'],
    parameters: [{ name: 'input', kind: 'file' }],
  };
  const task = Task.parse(await at.send({ method: 'POST', path: '/ai-tasks', body: { name: 'Own runs', description: '', ...version } }));
  await at.get(`/ai-tasks/${task.task_id}/schedules/upcoming?cron=0%209%20*%20*%20*`);
  await at.send({ method: 'PUT', path: `/ai-tasks/${task.task_id}/state/own`, body: { value: 1 } });
  await at.get(`/ai-tasks/${task.task_id}/state/own`);
  await at.post('/task-variables', { name: 'own', value: 1 });
  await at.get(`/ai-tasks/${task.task_id}/variables/own`);
  const parameters = { input: await at.upload('/files') };

  const real = await open({ parameters });
  const { reportToken: token } = real;
  const ofRun = `/runner/runs/${real.run_id}`;
  await at.send({ method: 'POST', path: `${real.path}/signals`, body: { value: 'own' } });
  await at.send({ method: 'POST', path: `${ofRun}/memory`, body: { name: 'own', value: 1 }, token });
  await at.send({ method: 'GET', path: `${ofRun}/files/input`, token });
  const artifact = await at.upload(`${ofRun}/artifacts`, token);
  const question = { key: `0/${'0'.repeat(64)}/0`, label: 'Sure?', fields: [{ name: 'sure', kind: 'boolean' }] };
  const prompt = Made.parse(await at.send({ method: 'POST', path: `${ofRun}/prompts`, body: question, token }));
  await at.send({ method: 'POST', path: `${real.path}/prompts/${prompt.id}/answer`, body: { answers: { sure: true } } });
  const stored = { events: [{ kind: 'checkpoint', state: {}, epoch: 0 }] };
  await at.send({ method: 'PATCH', path: real.path, body: stored, token });
  await finish(real);
  await at.get(`${real.path}/checkpoints/1/state`);
  await at.send({ method: 'POST', path: `${real.path}/restart`, body: { checkpoint: 1, dry_run: true } });
  await at.get(`${real.path}/artifacts/${artifact}/content`);
  await at.get(`${real.path}/stream`);

  const dry = await open({ parameters, dry_run: true });
  await finish(dry);
  const last = await open({ parameters });
  const next = { token: RUNNER_TOKEN, runner: { name: 'own', version: '1', isolation: [] } };
  const ended = { method: 'POST' as const, path: `/runner/runs/${last.run_id}/end`, token: last.reportToken };
  await at.send({ ...ended, body: { events: END, next } });
  const applied = z.object({ run_id: z.number() }).parse(await at.send({ method: 'POST', path: `${dry.path}/apply` }));
  const waiting = await open({ parameters, dry_run: true });
  await finish(waiting);
  await at.send({ method: 'POST', path: `${waiting.path}/second-person`, body: {} });
  await at.send({ method: 'GET', path: '/approvals/plans' });
  await at.send({ method: 'POST', path: `${waiting.path}/second-person/decline`, body: { reason: 'own' } });
  const runs = dry.path.replace(/\d+$/, '');
  const undo = await at.send({ method: 'POST', path: `${runs}${applied.run_id}/undo`, body: {} });
  await at.get(`${runs}${z.object({ run_id: z.number() }).parse(undo).run_id}/undo`);
  const failing = await open({ parameters });
  await at.send({
    method: 'PATCH',
    path: failing.path,
    body: { events: [{ kind: 'finalize', status: 'failed' }] },
    token: failing.reportToken,
  });
  const [error] = Errors.parse(await at.get(`/errors?task_id=${task.task_id}`)).data;
  await at.get(`/errors/${error?.id}`);
  await at.send({ method: 'PATCH', path: `/errors/${error?.id}`, body: { state: 'resolved' } });
  await pauseAndContinue(at);
  await at.get(`/ai-tasks/${task.task_id}/health?days=7`);
  await at.get(`/runs/compare?a=${real.run_id}&b=${dry.run_id}`);
  const bulk = { action: 'retry', ids: [real.run_id] };
  await at.send({ method: 'POST', path: '/runs/bulk/preview', body: bulk });
  await at.send({ method: 'POST', path: '/runs/bulk', body: bulk });

  async function open(body: object) {
    const path = `/ai-tasks/${task.task_id}/runs`;
    const { run_id } = Run.parse(await at.send({ method: 'POST', path, body: { ...body, priority: 1000 } }));
    const wanted = { runner: { name: 'own', version: '1', isolation: [] }, slots: 1, wait_ms: 0 };
    const { claims } = Claims.parse(await at.send({ method: 'POST', path: '/runner/claims', body: wanted, token: RUNNER_TOKEN }));
    return { run_id, path: `${path}/${run_id}`, reportToken: claims.find(({ run }) => run.id === run_id)?.report_token ?? '' };
  }
  function finish({ path, reportToken: token }: { path: string; reportToken: string }) {
    return at.send({ method: 'PATCH', path, body: { events: END }, token });
  }
}

const Made = z.object({ id: z.int() });
const Rows = z.array(Made);
const Errors = z.object({ data: Rows });
const Opened = z.object({ shipment: Made, courier_options: z.array(z.object({ courier_id: z.string(), courier_name: z.string() })) });
const Token = z.object({ token: z.string() });
const Task = z.object({ task_id: z.int() });
const Run = z.object({ run_id: z.int() });
const Version = z.object({ version_id: z.int() });
const Claims = z.object({ claims: z.array(z.object({ report_token: z.string(), run: Made })) });

const FORM = ['--own', 'Content-Disposition: form-data; name="file"; filename="own.txt"', '', 'own records', '--own--', ''].join('\r\n');

type Call = { method: string; path: string; body?: unknown; token?: string };

/** Sends requests that must succeed; returns their answers as JSON. */
function callsOf(target: Target) {
  const ask = async (request: Request): Promise<unknown> => {
    const { status, text } = await target.send(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path}: ${status} ${text}`);
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  };
  const send = ({ method, path, body, token }: Call): Promise<unknown> =>
    ask({
      method,
      path: `/admin/api${path}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(token === undefined ? {} : { token }),
    });
  const idOf = (made: unknown): number => Made.parse(made).id;
  return {
    send,
    get: (path: string) => send({ method: 'GET', path }),
    post: async (path: string, body?: unknown) => idOf(await send({ method: 'POST', path, body })),
    remove: (path: string) => send({ method: 'DELETE', path }),
    upload: async (path: string, token?: string) => {
      const form = { type: 'multipart/form-data; boundary=own', body: Buffer.from(FORM) };
      return idOf(await ask({ method: 'POST', path: `/admin/api${path}`, ...form, ...(token === undefined ? {} : { token }) }));
    },
  };
}
