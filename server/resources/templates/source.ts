import { TemplateSource } from '../../../contract/pages.ts';
import type { Services } from '../../services.ts';
import type { Prepared } from '../../verbs/context.ts';

/** What is wrong with the template in a body, told before the transaction because it is parsed in a thread. */
export async function checkTemplate({ renderer }: Services, { content }: Readonly<Record<string, unknown>>): Promise<Prepared> {
  const { success: isTemplate, data: source = '' } = TemplateSource.safeParse(content);
  const faults = isTemplate ? await renderer.check(source) : [];
  return { warnings: faults.map(({ line, column, message }) => ({ line, column, message })) };
}
