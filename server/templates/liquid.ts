import { Context, Liquid, LiquidError, Parser, Tokenizer, toValueSync } from 'liquidjs';
import { z } from 'zod';
import { SHARED_TEMPLATES_MAX } from '../../contract/themes.ts';

/** A template and everything that it can use; it cannot reach files or the server. */
export const Rendering = z.object({
  source: z.string(),
  /** The templates that `render`, `include` and `layout` find, by path. */
  shared: z.record(z.string(), z.string()),
  scope: z.record(z.string(), z.unknown()),
  timezone: z.string(),
});
export type Rendering = z.infer<typeof Rendering>;

/** A fault in a template; `template` is the path of the shared template that has it, null for the template that was asked for. */
export const TemplateFault = z.object({ line: z.int(), column: z.int(), message: z.string(), template: z.string().nullable() });
export type TemplateFault = z.infer<typeof TemplateFault>;

export const RenderResult = z.union([z.object({ html: z.string() }), z.object({ fault: TemplateFault })]);
export type RenderResult = z.infer<typeof RenderResult>;

const PAGE_MAX = 4 * 1024 * 1024;
const RENDER_MS = 1000;
/** Largest size of what filters may make out of values, in characters and items. */
const MEMORY_MAX = 10_000_000;
const FAULTS_MAX = 20;

/** The first syntax errors of a template, such as unknown tags or filters and unclosed blocks. */
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

/** Renders a template. Unknown variables and filters give nothing, as is usual in Liquid; the first error ends the rendering. */
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
    // The scope is passed as globals, so that templates included by `render` see it too.
    const context = new Context({}, liquid.options, { sync: true, globals: scope }, { liquid });
    toValueSync(liquid.renderer.renderTemplates(liquid.parse(source), context, page));
    return { html: page.buffer };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** Collects the page and limits its length, because Liquid's memory limit does not count the page itself. */
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
  // Liquid appends the place to its messages; it is removed here.
  const message = error.message.replace(/(?:, file:[^\n]*?)?, line:\d+, col:\d+$/, '');
  return { line, column, message, template: token?.file ?? null };
}
