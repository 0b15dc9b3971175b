import { registerHooks } from 'node:module';
import { scriptTypes } from './console-types.ts';

/** The worker of the console's editor from its sources, with what the console's build would put into it. */

const TYPES = 'virtual:script-types';

registerHooks({
  resolve: (specifier, context, next) => (specifier === TYPES ? { url: TYPES, shortCircuit: true } : next(specifier, context)),
  load: (url, context, next) =>
    url === TYPES
      ? { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(scriptTypes())}` }
      : next(url, context),
});
await import(new URL('../console/editor/types-worker.ts', import.meta.url).href);
