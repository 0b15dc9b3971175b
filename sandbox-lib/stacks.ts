import { createSourceMap, mapFrames, type SourceMap } from '../contract/source-map.ts';

const describe = Error.prototype.toString;
let map: SourceMap | undefined;

/** From now on, stacks name the places that the author wrote. */
export function mapStacks(mappings: string): void {
  map = createSourceMap(mappings);
}

/** Lets V8 ask how a stack is to be shown; without a source map it shows each in its own way. Called in each new context. */
export function installStacks(): void {
  Object.defineProperty(Error, 'prepareStackTrace', { get: () => map && show, configurable: false });
}

/** A script may call it, too: it returns only what V8 or the script itself passed in. */
function show(error: unknown, sites: unknown): string {
  const frames = Array.isArray(sites) ? sites.map((site) => `    at ${site}`) : [];
  return [headOf(error), ...(map ? mapFrames(frames, map) : frames)].join('\n');
}

function headOf(error: unknown): string {
  try {
    return describe.call(error);
  } catch {
    return 'Error';
  }
}
