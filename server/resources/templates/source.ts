import { TemplateSource } from '../../../contract/pages.ts';
import type { Services } from '../../services.ts';
import type { Prepared } from '../../verbs/context.ts';

/**
 * Checks the template in a body for faults, which the answer has as warnings. This happens before the transaction, because
 * the template is parsed in another thread.
 */
export async function checkTemplate({ renderer }: Services, { content }: Readonly<Record<string, unknown>>): Promise<Prepared> {
  const { success: isTemplate, data: source = '' } = TemplateSource.safeParse(content);
  const faults = isTemplate ? await renderer.check(source) : [];
  return { code: null, warnings: faults.map(({ line, column, message }) => ({ line, column, message })) };
}
