import { z } from 'zod';
import { buildOpenApi } from '../../contract/openapi.ts';
import { VERSION } from '../../server/process/version.ts';

/** A page of the site that is made, not written: its path in the site, and its text. Its links are as in the site. */
export type ApiPage = { path: string; text: string };

const Operation = z.object({ operationId: z.string(), tags: z.array(z.string()), summary: z.string() });
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

/** The pages of the API, made from its document; the first one is their front page. */
export async function apiPages(): Promise<ApiPage[]> {
  const { info, paths } = Document.parse(JSON.parse(JSON.stringify(buildOpenApi({ version: VERSION }))));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  const tags = [...new Set(operations.flatMap((one) => one.tags))];
  const sections = tags.map((tag) => {
    const rows = operations
      .filter((one) => one.tags.includes(tag))
      .map(
        ({ path, method, operationId, summary }) => `| \`${operationId}\` | \`${method} ${path}\` | ${summary.replaceAll('|', '\\|')} |`,
      );
    const name = tag.replaceAll('_', ' ');
    return `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n| Operation | Request | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  const head = `# API\n\n${info.title} ${info.version}. All fields and answers are in [/openapi.json](/openapi.json).\n\n${info.description}\n`;
  return [{ path: 'api/index', text: `${head}\n${sections.join('\n')}` }];
}
