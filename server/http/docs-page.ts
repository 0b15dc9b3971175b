import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PAGE_COLOURS } from './page-colours.ts';

const Parameter = z.object({ in: z.string(), name: z.string(), description: z.string().optional(), schema: z.unknown() });
const Content = z.record(z.string(), z.object({ schema: z.unknown().optional() }));
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
  parameters: z.array(z.union([Parameter, z.object({ $ref: z.string() })])).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().optional(), content: Content.optional() })),
});
type Operation = z.infer<typeof Operation>;
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

const STYLE = `${PAGE_COLOURS}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font:13px/1.45 ui-monospace,monospace}pre{overflow:auto;padding:.5rem 1rem;background:var(--surface);border:1px solid var(--line)}
h3 code{font-size:15px}section{border-top:1px solid var(--line)}td,th{text-align:left;vertical-align:top;padding:.1rem 1rem .1rem 0}`;

/** The page loads nothing and runs no script. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const docsHeaders = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY };

/** Renders the OpenAPI document as one HTML page. */
export function docsPage(document: unknown): string {
  const { info, paths, components } = Document.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2 id="${text(tag)}">${text(tag.replaceAll('_', ' '))}</h2>${own.map(operationText).join('')}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="schema-${text(name)}"><code>${text(name)}</code></h3>${json(schema)}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(info.title)}</title><style>${STYLE}</style>
<h1>${text(info.title)} ${text(info.version)}</h1><p>${text(info.description)}</p>
<p>For machines: <a href="/openapi.json">/openapi.json</a></p>
<nav><p>${tags.map((tag) => `<a href="#${text(tag)}">${text(tag.replaceAll('_', ' '))}</a>`).join(' · ')} · <a href="#schemas">schemas</a></p></nav>
${sections.join('\n')}<section><h2 id="schemas">schemas</h2>${schemas.join('\n')}</section></html>`;
}

function operationText({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { operationId, description, parameters, requestBody, responses } = operation;
  const rows = parameters.flatMap((one) =>
    'name' in one ? [`<tr><td><code>${text(one.name)}</code><td>${one.in}<td>${text(one.description ?? '')}`] : [],
  );
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => `<p>${text(status)}</p>${content ? bodies(content) : ''}`);
  return `<h3 id="${text(operationId)}"><code>${method} ${text(path)}</code></h3><p>${text(description)}</p>${
    rows.length > 0 ? `<table>${rows.join('')}</table>` : ''
  }${requestBody ? `<p>Body</p>${bodies(requestBody.content)}` : ''}${answers.join('')}`;
}

function bodies(content: z.infer<typeof Content>): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<p><code>${text(type)}</code></p>${schema === undefined ? '' : json(schema)}`)
    .join('');
}

/** A schema as JSON; its references to other schemas are links. */
function json(schema: unknown): string {
  const linked = text(JSON.stringify(schema, null, 2)).replaceAll(
    /#\/components\/schemas\/([\w.-]+)/g,
    (whole, name: string) => `<a href="#schema-${name}">${whole}</a>`,
  );
  return `<pre>${linked}</pre>`;
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
