import { RUNNER_TOKEN } from '../../test/helpers/app.ts';
import { MODEL_KEY } from '../../test/helpers/model-server.ts';
import { originOf } from '../../test/helpers/passkey-browser.ts';
import { type AllAnswers, carryOut } from './carry-out.ts';
import { type ApiDocument, type Operation, readDocument } from './document.ts';
import { ADDRESS, exampleText, NAMED_ADDRESS } from './example-text.ts';
import { hookExample } from './hook-example.ts';
import { indexPage } from './index-page.ts';
import { type ApiPage, keptPages } from './kept-pages.ts';
import { paragraphs } from './markdown.ts';
import { fieldTable, operationText } from './operation.ts';
import { pageOf, pageTitles } from './resources.ts';
import { objectsIn } from './schemas.ts';
import { Masks } from './shown.ts';
import { webhooksText } from './webhooks-text.ts';

/** The reference of the API: a page for each resource, with the answers that a shop of this process gave. The first one is the front page. */
export function apiPages(): Promise<ApiPage[]> {
  return keptPages(async () => {
    const answered = await carryOut();
    try {
      return await pagesOf(readDocument(), answered);
    } finally {
      await answered.open.close();
    }
  });
}

export async function pagesOf(document: ApiDocument, { answers, open }: AllAnswers): Promise<ApiPage[]> {
  const masks = masksOf({ answers, open });
  const byPage = Map.groupBy(document.operations, pageOf);
  const extra = new Map([['hooks.call', await hookExample(open, masks)]]);
  const exampleOf = ({ id }: Operation): string => {
    const own = answers.get(id);
    const text = own === undefined ? extra.get(id) : exampleText(own, masks);
    if (text === undefined) throw new Error(`${id} has no example`);
    return text;
  };
  const pages = [...pageTitles].map(([name, title]): ApiPage => {
    const operations = byPage.get(name) ?? [];
    return { path: `api/${name}.md`, text: resourcePage(title, operations, document, exampleOf, name === 'webhooks') };
  });
  const index = await indexPage(open, masks, document, byPage);
  return [{ path: 'api/index.md', text: index }, ...pages];
}

function resourcePage(
  title: string,
  operations: readonly Operation[],
  document: ApiDocument,
  exampleOf: (operation: Operation) => string,
  withEvents: boolean,
): string {
  const { schemas } = document;
  const used = new Set<string>();
  for (const { answers, body } of operations) objectsIn([answers.map(({ content }) => content), body], schemas, used);
  const list = operations.map(({ id, method, path }) => `| [\`${id}\`](#${id}) | \`${method}\` | \`${path.replace('/admin/api', '')}\` |`);
  const events = withEvents ? webhooksText(document) : '';
  if (withEvents) for (const { schema } of document.webhooks) objectsIn(schema, schemas, used);
  const objects = [...used]
    .sort()
    .map((name) => `### ${name} {#object-${name}}\n\n${fieldTable({ $ref: `#/components/schemas/${name}` }, schemas)}`);
  return paragraphs([
    `---\noutline: 2\n---`,
    `# ${title}`,
    'Paths are below `/admin/api`. The examples were answered by a shop with the sample data; [how to read them](./index.md#examples).',
    ['| Operation | Method | Path |', '|---|---|---|', ...list].join('\n'),
    ...operations.map((operation) => operationText(operation, schemas, exampleOf(operation)).trim()),
    events,
    objects.length > 0 && `## Objects {#objects}\n\n${objects.join('\n\n')}`,
  ]);
}

const ALWAYS_SECRET = ['token', 'report_token', 'seed'];

function masksOf({ answers, open }: AllAnswers): Masks {
  const masks = new Masks();
  for (const { endpoint, content } of answers.values())
    if (content.kind === 'json') masks.learn(content.value, new Set([...ALWAYS_SECRET, ...(endpoint.secretFields ?? [])]));
  masks.add(RUNNER_TOKEN, '$RUNNER_TOKEN');
  masks.add(MODEL_KEY, '<api_key>');
  for (const [real, shown] of open.shop.doubles.addresses) masks.add(real, shown);
  masks.add(open.app.url, ADDRESS);
  masks.add(encodeURIComponent(open.app.url), encodeURIComponent(ADDRESS));
  const named = originOf(open.app);
  masks.add(named, NAMED_ADDRESS);
  masks.add(encodeURIComponent(named), encodeURIComponent(NAMED_ADDRESS));
  return masks;
}
