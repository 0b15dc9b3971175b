import { declaredOf } from '../../../../contract/declared.ts';
import { examplesText } from '../../../texts/examples.ts';
import { permissionText } from '../../../texts/permissions.ts';
import type { ExampleRow } from '../queries.ts';

/** Whether each word stands somewhere in what is known of the example. */
export function hasWords(example: ExampleRow, q: string): boolean {
  const may = declaredOf(example).map((one) => permissionText(one));
  const text = [example.title, example.description, examplesText.topics[example.topic], ...may].join(' ').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
