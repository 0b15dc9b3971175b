import { errorCodes } from '../../contract/errors.ts';
import { type Asked, ask } from './ask.ts';
import type { ApiDocument, Operation } from './document.ts';
import { paragraphs, prose, table } from './markdown.ts';
import { pageTitles } from './resources.ts';
import type { OpenShop } from './shop.ts';
import type { Masks } from './shown.ts';

type Ask = (...question: Parameters<typeof ask> extends [unknown, unknown, infer Q] ? [Q] : never) => Promise<Asked>;

/** The first page: what holds for every call. */
export async function indexPage(
  open: OpenShop,
  masks: Masks,
  { operations }: ApiDocument,
  byPage: ReadonlyMap<string, readonly Operation[]>,
): Promise<string> {
  const asked: Ask = (question) => ask(open, masks, question);
  return paragraphs([
    '---\noutline: 2\n---',
    '# Overview of the API',
    `The API of the back office has ${operations.length} operations. The console, the command line and task scripts use the same ones. [\`/openapi.json\`](/openapi.json) is the document for machines; [\`backroom/client\`](../client.md) is the typed client.`,
    resourcesText(byPage),
    await signingIn(asked),
    EXAMPLES,
    await errorsText(asked),
    await paging(asked),
    await versions(asked),
    await idempotency(asked),
    await rateLimits(asked),
    await dryRuns(open, asked),
    STREAMS,
    codesText(),
  ]);
}

function resourcesText(byPage: ReadonlyMap<string, readonly Operation[]>): string {
  const rows = [...pageTitles].map(([name, title]) => {
    const own = byPage.get(name) ?? [];
    const paths = [...new Set(own.map(({ path }) => `/${path.replace('/admin/api', '').split('/')[1] ?? ''}`))];
    return [
      `[${title}](./${name}.md)`,
      String(own.length),
      paths
        .slice(0, 3)
        .map((path) => `\`${path}\``)
        .join(', '),
    ];
  });
  return `## Resources {#resources}\n\n${table(['Resource', 'Operations', 'Paths'], rows)}`;
}

async function signingIn(asked: Ask): Promise<string> {
  const good = await asked({ url: '/admin/api/orders?status=processing&per_page=1' });
  const bad = await asked({ url: '/admin/api/orders', by: { value: 'wrong', shown: 'WRONG_TOKEN' } });
  return `## Authentication {#authentication}

Each request carries an access token: \`Authorization: Bearer …\`. An admin makes tokens in the console under *Account*, or by [\`me.create_token\`](./me.md#me.create_token). A token may do what its admin may do, or less, if it was given a list of permissions. A permission to write includes that to read.

${good.markdown}

Without a valid token the answer is 401. A token that lacks a permission gets 403, and the header \`X-Required-Permission\` names it.

${bad.markdown}`;
}

const EXAMPLES = `## The examples {#examples}

Each operation has one example. When these pages are built, a shop with the sample data answers all of them, in an order that makes sense: what is deleted was created before. So ids and times differ in your shop.

- \`$BACKROOM_TOKEN\` is your token. \`$RUN_TOKEN\` and \`$SCRIPT_TOKEN\` are those of a run, which only its runner has, and \`$RUNNER_TOKEN\` is the runner's.
- \`…\` stands for what is left out of a long answer. Secrets are replaced by their names, such as \`<token>\`.
- Every answer has the headers \`X-Request-Id\`, \`API-Version\`, \`RateLimit\` and \`RateLimit-Policy\` too; calls of the shop's data also have \`Backroom-Time\`, the time of the read or write.
- *Client* is the same call by \`backroom/client\`, where \`shop\` is \`connect({ url, token })\`. *Task* is the same call in the script of a task.
- The shop of the examples has no bank, courier, mailbox or model. Where one is needed, a double on the same machine answers in its place, and the example says so.`;

async function errorsText(asked: Ask): Promise<string> {
  const absent = await asked({ url: '/admin/api/orders/999999', headers: { accept: 'application/problem+json' } });
  const invalid = await asked({ url: '/admin/api/orders?per_page=0&sort=price' });
  return `## Errors {#errors}

An error has the members of a problem (RFC 9457). \`code\` is made for programs and never changes; \`detail\` is for people. All codes are [in a list](#codes). The type is \`application/problem+json\` where \`Accept\` asks for it, else \`application/json\`.

${absent.markdown}

Where values are wrong, \`errors\` names each: \`pointer\` is its place in the body, \`parameter\` its name in the query. One wrong value gives the answer its own code, several give \`validation_failed\`.

${invalid.markdown}

A field or a parameter that an operation does not know is refused, so that a mistyped name is seen. What an answer about the same resource carries may be sent back.`;
}

async function paging(asked: Ask): Promise<string> {
  const first = await asked({ url: '/admin/api/products?status=active&sort=name&per_page=1' });
  return `## Paging {#paging}

Lists answer in pages of \`per_page\` rows (default 20, at most 100). Go on with \`page\`, or with \`cursor\`, which is the \`next_cursor\` of the page before: with it, rows that are added or removed meanwhile are neither skipped nor told twice. \`next_cursor\` is null on the last page. The header \`Link\` has the same as addresses.

${first.markdown}

Lists of records that change take \`after\`: what was created or changed since, in the order of the change. Begin with \`after=start\`, and go on with \`changes_cursor\`.`;
}

async function versions(asked: Ask): Promise<string> {
  const read = await asked({ url: '/admin/api/vouchers/5', also: ['etag'] });
  const etag = read.headers.get('etag') ?? '';
  const changed = await asked({ method: 'PATCH', url: '/admin/api/vouchers/5', body: { usage_limit: 50 }, headers: { 'if-match': etag } });
  const stale = await asked({ method: 'PATCH', url: '/admin/api/vouchers/5', body: { usage_limit: 60 }, headers: { 'if-match': etag } });
  return `## ETags and If-Match {#versions}

A record has an \`ETag\`. Send it as \`If-None-Match\` to read the record only if it has changed (else 304), and as \`If-Match\` to change it only if nobody else has.

${read.markdown}

${changed.markdown}

The same \`If-Match\` again is refused, because the record has another version now.

${stale.markdown}`;
}

async function idempotency(asked: Ask): Promise<string> {
  const note = {
    method: 'POST',
    url: '/admin/api/customers/12/notes',
    body: { body: 'Called about the invoice.' },
    headers: { 'idempotency-key': '"call-of-monday"' },
  } as const;
  const first = await asked(note);
  const again = await asked(note);
  if (again.headers.get('idempotency-replayed') !== 'true') throw new Error(`the write was made again: ${first.status} ${again.status}`);
  return `## Idempotency keys {#idempotency}

A write may carry an \`Idempotency-Key\`. If the answer is lost, send the same request with the same key: it is carried out once, and the stored answer comes again, with \`Idempotency-Replayed: true\`. A key is kept for 24 hours; another request with it is refused (\`idempotency_key_reused\`). The client sends a key with each write by itself.

${first.markdown}

The same again:

${again.markdown}`;
}

async function rateLimits(asked: Ask): Promise<string> {
  const { markdown } = await asked({ url: '/admin/api/tax-rates/1', also: ['ratelimit', 'ratelimit-policy'] });
  return `## Rate limits {#rate-limits}

A token may send 6,000 requests in a minute, unless the server's \`RATE_LIMIT\` says otherwise. \`RateLimit\` tells what is left (\`r\`) and in how many seconds it is full again (\`t\`). Beyond it, the answer is 429 with \`Retry-After\`. Requests without a valid token have a smaller limit of their own.

${markdown}`;
}

async function dryRuns(open: OpenShop, asked: Ask): Promise<string> {
  const { api, finish } = open.shop;
  const { task_id } = await api.ai_tasks.create({
    name: 'Thanks the first customer',
    description: '',
    source_code: "import { admin } from 'backroom';\n\nexport default () => admin.customers.create_note(1, { body: 'Thank you' });\n",
    permissions: ['admin_api.customers.write'],
    parameters: [],
  });
  const start = await asked({ method: 'POST', url: `/admin/api/ai-tasks/${task_id}/runs`, body: { dry_run: true } });
  const [run] = await api.ai_tasks.list_runs(task_id);
  if (!run) throw new Error('the dry run was not started');
  await finish(task_id, run.id);
  const plan = await asked({ url: `/admin/api/ai-tasks/${task_id}/runs/${run.id}/effects` });
  return `## Dry runs and previews {#dry-runs}

A run of a task can be dry: it makes its writes in a transaction that is never committed, and what it would have done is its plan. [\`ai_tasks.apply_run\`](./ai-tasks-runs.md#ai_tasks.apply_run) carries the plan out.

${start.markdown}

When the run has ended, its effects are the plan:

${plan.markdown}

Single calls have previews instead, which change nothing: [\`orders.preview\`](./orders.md#orders.preview), [\`orders.preview_edit\`](./orders.md#orders.preview_edit), [\`products.preview_bulk\`](./products.md#products.preview_bulk) and others.`;
}

const STREAMS = `## Streams {#streams}

Three operations answer with server-sent events: [\`ai_tasks.stream_run\`](./ai-tasks-runs.md#ai_tasks.stream_run), [\`assistant.events\`](./assistant.md#assistant.events) and [\`changes.stream\`](./changes.md#changes.stream). Each event has an \`id\`. Send the last one as \`Last-Event-ID\` to go on where a stream broke off. A comment comes every 15 seconds, so a stream that is silent for longer is dead. The client's \`follow\` does all of this.`;

function codesText(): string {
  const rows = Object.entries(errorCodes).map(([code, [status, title]]) => [
    `<a id="${code}"></a>\`${code}\``,
    `${status}. ${prose(title)}`,
  ]);
  return `## All error codes {#codes}\n\n\`/problems/CODE\` tells the same for one code.\n\n${table(['Code', 'Status and meaning'], rows)}`;
}
