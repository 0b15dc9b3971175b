import { z } from 'zod';
import { createSideThread } from '../process/side-thread.ts';
import { type Rendering, RenderResult, TemplateFault } from './liquid.ts';

const Faults = z.array(TemplateFault);
/** Liquid's own limits end nearly every bad template. These limits end the rest, such as one very slow filter. */
const LIMITS = { timeoutMs: 5000, memoryMb: 256 };
const TOO_MUCH: TemplateFault = { line: 1, column: 1, message: 'the template takes too much time or memory', template: null };

export type TemplateRenderer = {
  check(source: string): Promise<TemplateFault[]>;
  render(rendering: Rendering): Promise<RenderResult>;
  close(): Promise<void>;
};

/** Checks and renders the shop's templates in a thread of its own. */
export function createTemplateRenderer(): TemplateRenderer {
  const thread = createSideThread(new URL('./thread.ts', import.meta.url), LIMITS);
  return {
    check: async (source) => {
      const answer = await thread.ask({ check: source });
      return answer.failed ? [TOO_MUCH] : Faults.parse(answer.result);
    },
    render: async (rendering) => {
      const answer = await thread.ask({ render: rendering });
      return answer.failed ? { fault: TOO_MUCH } : RenderResult.parse(answer.result);
    },
    close: thread.close,
  };
}
