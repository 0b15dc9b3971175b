import ivm from 'isolated-vm';

/** What the isolate of a script reports; nothing follows after `onEnd`. */
export type IsolateListener = {
  onCall(id: number, operation: string, payload: string): void;
  onEnd(end: IsolateEnd): void;
  /** The script can continue only with a further answer. */
  onRest(): void;
};
export type IsolateEnd =
  /** The guest's own report (JSON text). `quiet`: no code of the script runs any more. */
  | { kind: 'outcome'; outcome: string; quiet: boolean }
  | { kind: 'unhandled'; error: unknown }
  | { kind: 'syntax'; error: unknown }
  | { kind: 'heap' };

/** An isolate that runs one script. */
export type ScriptIsolate = {
  run(code: string): void;
  answer(id: number, text: string): void;
  dispose(): void;
};

/** The prelude's source and V8's cached data for it, which every isolate of this process can use. */
export type Prelude = { source: string; cachedData: ivm.ExternalCopy<ArrayBuffer> | undefined };

const PRELUDE_NAME = 'backroom:prelude';
/** The wrapper (contract/task-source.ts) takes one line before the script's first line, hence the offset. */
const TASK_ORIGIN = { filename: 'task.ts', lineOffset: -1 };
/** How long an outcome waits until the script's microtasks are done, because they may still cause an unhandled rejection. */
const LAST_TURN_MS = 250;

export function compilePrelude(source: string): Prelude {
  const isolate = new ivm.Isolate({ memoryLimit: 64 });
  const script = isolate.compileScriptSync(source, { filename: PRELUDE_NAME, produceCachedData: true });
  const { cachedData } = script as ivm.CachedDataResult;
  isolate.dispose();
  return { source, cachedData };
}

/** A fresh isolate with its prelude loaded. It knows nothing of a run yet, and serves one. */
export type EmptyIsolate = { heapMib: number; open(config: string, listener: IsolateListener): ScriptIsolate; dispose(): void };

/** Makes a fresh isolate and context, and loads the prelude: most of the work before a script can begin. */
export function makeIsolate(prelude: Prelude, heapMib: number): EmptyIsolate {
  let onHeapEnd = (): void => {};
  const isolate = new ivm.Isolate({ memoryLimit: heapMib, onCatastrophicError: () => onHeapEnd() });
  const context = isolate.createContextSync();
  const script = isolate.compileScriptSync(prelude.source, {
    filename: PRELUDE_NAME,
    ...(prelude.cachedData && { cachedData: prelude.cachedData }),
  });
  const enter: Enter = script.runSync(context, { reference: true });
  return {
    heapMib,
    open(config, listener) {
      const opened = openIsolate({ isolate, context, enter }, config, listener);
      onHeapEnd = opened.onHeapEnd;
      return opened;
    },
    dispose: () => isolate.dispose(),
  };
}

type Enter = ivm.Reference<(...args: ivm.Transferable[]) => undefined>;
type Parts = { isolate: ivm.Isolate; context: ivm.Context; enter: Enter };

/** Tells the prelude about the run, and is then ready to run its script. */
function openIsolate({ isolate, context, enter }: Parts, config: string, listener: IsolateListener): ScriptIsolate & { onHeapEnd(): void } {
  let over = false;
  let turns = 0;
  let outcome: string | undefined;
  let lastTurn: NodeJS.Timeout | undefined;
  const open = new Set<number>();

  enter.applySync(undefined, ['boot', new ivm.Reference(receive), config]);

  return {
    run(code) {
      let task: ivm.Reference<unknown>;
      try {
        task = isolate.compileScriptSync(code, TASK_ORIGIN).runSync(context, { reference: true });
      } catch (error) {
        return end(isolate.isDisposed ? { kind: 'heap' } : { kind: 'syntax', error });
      }
      void turn('run', task.derefInto());
    },
    answer(id, text) {
      open.delete(id);
      void turn('answer', id, text);
    },
    dispose() {
      over = true;
      clearTimeout(lastTurn);
      if (!isolate.isDisposed) isolate.dispose();
    },
    onHeapEnd: () => end({ kind: 'heap' }),
  };

  /** The host function, which the guest calls with text and numbers only. It must not throw. */
  function receive(id: unknown, operation: unknown, payload: unknown): void {
    if (over || outcome !== undefined || typeof id !== 'number' || typeof operation !== 'string' || typeof payload !== 'string') return;
    if (operation === 'outcome') {
      outcome = payload;
      lastTurn = setTimeout(() => endWithOutcome(false), LAST_TURN_MS);
      return;
    }
    if (operation === 'turn') return void turn('turn');
    if (id > 0) open.add(id);
    listener.onCall(id, operation, payload);
  }

  /** Lets the guest run until its microtasks are done. An unhandled rejection of the script makes `apply` throw. */
  async function turn(...args: ivm.Transferable[]): Promise<void> {
    if (over) return;
    turns += 1;
    try {
      await enter.apply(undefined, args);
    } catch (error) {
      return end(isolate.isDisposed ? { kind: 'heap' } : { kind: 'unhandled', error });
    }
    turns -= 1;
    if (over || turns > 0) return;
    if (outcome !== undefined) endWithOutcome(true);
    else if (open.size > 0) listener.onRest();
    else if (args[0] !== 'idle') void turn('idle');
  }

  function endWithOutcome(quiet: boolean): void {
    end({ kind: 'outcome', outcome: outcome ?? '', quiet });
  }

  function end(how: IsolateEnd): void {
    if (over) return;
    over = true;
    clearTimeout(lastTurn);
    listener.onEnd(how);
  }
}
