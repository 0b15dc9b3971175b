import type { Services } from '../../services.ts';
import { NOTHING_PREPARED, type Prepared } from '../../verbs/context.ts';

type Body = Readonly<Record<string, unknown>>;

/** Parses and compiles the source of a body. A version is saved whatever its source is; the answer has the warnings. */
export async function prepareSource({ checker }: Pick<Services, 'checker'>, { source_code: source }: Body): Promise<Prepared> {
  return typeof source === 'string' ? checker.check(source) : NOTHING_PREPARED;
}

/** The same for the draft of a body. */
export async function prepareDraft(services: Pick<Services, 'checker'>, { draft }: Body): Promise<Prepared> {
  return typeof draft === 'object' && draft !== null ? prepareSource(services, { ...draft }) : NOTHING_PREPARED;
}
