import type { ApiDocument } from './document.ts';
import { inlineCode, paragraphs, prose } from './markdown.ts';
import { fieldTable } from './operation.ts';

/** The requests that the shop itself sends to webhook endpoints. */
export function webhooksText({ webhooks, schemas }: ApiDocument): string {
  return paragraphs([
    '## Events {#events}',
    'The shop posts one request for each event to each endpoint that subscribed to it, at least once. [How to receive them](../webhooks.md) tells how the signature is checked.',
    ...webhooks.map(({ type, summary, schema }) =>
      paragraphs([
        `### ${type} {#event-${type.replaceAll('.', '-')}}`,
        `${prose(summary)}. The body of ${inlineCode(type)}:`,
        fieldTable(schema, schemas),
      ]).trim(),
    ),
  ]).trim();
}
