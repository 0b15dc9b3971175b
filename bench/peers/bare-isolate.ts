import ivm from 'isolated-vm';
import type { Kind } from './run-peer.ts';

const SOURCES: Record<Kind, string> = { trivial: '1', line: `log('first line'); 1` };

/** Runs a script in a new isolate, the least that isolated-vm needs: no prelude, no modules, no calls, no limit of time. */
export function runInBareIsolate(kind: Kind, log: (line: string) => void): unknown {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  try {
    const context = isolate.createContextSync();
    context.global.setSync('log', new ivm.Callback(log));
    return isolate.compileScriptSync(SOURCES[kind]).runSync(context);
  } finally {
    isolate.dispose();
  }
}
