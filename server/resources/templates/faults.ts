import type { Preview } from '../../../contract/pages.ts';
import type { RenderResult, TemplateFault } from '../../templates/liquid.ts';

/**
 * The faults to show with a preview: those that the check of the sent template found, and the one that ended the rendering. `sent` is the
 * path of the template that was sent, `path` that of the template that was rendered.
 */
export function errorsIn(
  result: RenderResult,
  checked: readonly TemplateFault[],
  { sent, path }: { sent: string; path: string },
): Preview['errors'] {
  const ended = 'fault' in result ? [{ ...result.fault, template: result.fault.template ?? path }] : [];
  const found = [...ended, ...checked.map((fault) => ({ ...fault, template: sent }))];
  const byPlace = new Map(found.map((fault) => [`${fault.template} ${fault.line} ${fault.column}`, fault]));
  return [...byPlace.values()]
    .map((fault) => ({ ...fault, template: fault.template === sent ? null : fault.template }))
    .sort((a, b) => Number(a.template !== null) - Number(b.template !== null) || a.line - b.line || a.column - b.column);
}
