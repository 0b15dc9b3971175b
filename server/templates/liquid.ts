import { Context, Liquid, LiquidError, Parser, Tokenizer, toValueSync } from 'liquidjs';
import { z } from 'zod';
import { SHARED_TEMPLATES_MAX } from '../../contract/themes.ts';

/** A template, and all that it can reach: nothing of the server, no file. */
export const Rendering = z.object({
  source: z.string(),
  /** What `render`, `include` and `layout` find, by path. */
  shared: z.record(z.string(), z.string()),
  scope: z.record(z.string(), z.unknown()),
  timezone: z.string(),
});
export type Rendering = z.infer<typeof Rendering>;

/** Where a template is wrong; `template`: the shared one in which, null for the one that was asked for. */
export const TemplateFault = z.object({ line: z.int(), column: z.int(), message: z.string(), template: z.string().nullable() });
export type TemplateFault = z.infer<typeof TemplateFault>;

export const RenderResult = z.union([z.object({ html: z.string() }), z.object({ fault: TemplateFault })]);
export type RenderResult = z.infer<typeof RenderResult>;

const PAGE_MAX = 4 * 1024 * 1024;
const RENDER_MS = 1000;
/** What filters may make out of values, in characters and items. */
const MEMORY_MAX = 10_000_000;
const FAULTS_MAX = 20;

/** What is wrong with a template's syntax: tags and filters that there are not, what is not closed. The first few. */
export function checkTemplate(source: string): TemplateFault[] {
  const liquid = new Liquid({ templates: {}, strictFilters: true });
  const faults: TemplateFault[] = [];
  try {
    const parser = new Parser(liquid);
    const tokens = new Tokenizer(source, liquid.options.operators).readTopLevelTokens(liquid.options);
    for (let token = tokens.shift(); token && faults.length < FAULTS_MAX; token = tokens.shift()) {
      try {
        parser.parseToken(token, tokens);
      } catch (error) {
        faults.push(faultOf(error));
      }
    }
  } catch (error) {
    faults.push(faultOf(error));
  }
  return faults;
}

/** Unknown variables and filters give nothing, as everywhere in Liquid; the first thing that cannot be done ends it. */
export function renderTemplate({ source, shared, scope, timezone }: Rendering): RenderResult {
  const liquid = new Liquid({
    templates: Object.assign(Object.create(null), shared),
    ownPropertyOnly: true,
    timezoneOffset: timezone,
    parseLimit: SHARED_TEMPLATES_MAX,
    renderLimit: RENDER_MS,
    memoryLimit: MEMORY_MAX,
  });
  const page = boundedEmitter();
  try {
    // Globals: what `render` shows sees them too.
    const context = new Context({}, liquid.options, { sync: true, globals: scope }, { liquid });
    toValueSync(liquid.renderer.renderTemplates(liquid.parse(source), context, page));
    return { html: page.buffer };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** Liquid counts what filters make, but not the page itself. */
function boundedEmitter() {
  return {
    buffer: '',
    write(value: unknown): void {
      const text = typeof value === 'string' ? value : String(value ?? '');
      if (this.buffer.length + text.length > PAGE_MAX) throw new Error(`the page is longer than ${PAGE_MAX} characters`);
      this.buffer += text;
    },
  };
}

function faultOf(error: unknown): TemplateFault {
  if (!(error instanceof Error)) return { line: 1, column: 1, message: String(error), template: null };
  const token = LiquidError.is(error) ? error.token : undefined;
  const [line = 1, column = 1] = token?.getPosition() ?? [];
  // Liquid puts the place at the end of its messages.
  const message = error.message.replace(/(?:, file:[^\n]*?)?, line:\d+, col:\d+$/, '');
  return { line, column, message, template: token?.file ?? null };
}
