import ivm from 'isolated-vm';

/** What the isolate of a script reports; nothing follows after `onEnd`. */
export type IsolateListener = {
  /** `seen`: how many answers the script had got when it made the call. */
  onCall(id: number, operation: string, payload: string, seen: number): void;
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

/** The state of an isolate that has carried out the prelude, from which every isolate of this process begins. */
export type Prelude = ivm.ExternalCopy<ArrayBuffer>;

const PRELUDE_NAME = 'backroom:prelude';
/** The global that holds the guest's entry point until a new context has given it to the worker. */
const ENTER = 'enterGuest';
/**
 * A run in a context of its own, which is not kept: V8 compiles a function when it is first called, and the snapshot has the functions that
 * were compiled. Without it each run would compile them anew.
 */
const WARM_UP = `
  const enter = ${ENTER};
  enter('made');
  const config = '{"task_id":0,"now_ms":0,"began_ms":0,"seed":"${'0'.repeat(64)}","secret_mark":"","mappings":null,"parameters":{},"checkpoint":null,"shop":{}}';
  enter('boot', { applyIgnored() {} }, config);
  enter('run', async () => [
    async () => {
      log('text', [1], { a: null }, Math.random(), new Date());
      progress(1, 2);
      await admin.orders.get(1);
      await checkpoint({ a: 1 });
      return { a: 1 };
    },
  ]);
  enter('answer', 1, '{"now_ms":1}\\n{"status":200,"body":{"id":1}}');
  enter('idle');`;
const TAKE_ENTER = `(() => { const enter = ${ENTER}; delete globalThis.${ENTER}; enter('made'); return enter; })()`;
/** The wrapper (contract/task-source.ts) takes one line before the script's first line, hence the offset. */
const TASK_ORIGIN = { filename: 'task.ts', lineOffset: -1 };
/** How long an outcome waits until the script's microtasks are done, because they may still cause an unhandled rejection. */
const LAST_TURN_MS = 250;

/**
 * Carries out the prelude's source and returns the state of the isolate then. To begin from it takes a tenth of the time. It fits only the
 * same build of Node with the same flags.
 */
export function makeSnapshot(source: string): Prelude {
  return ivm.Isolate.createSnapshot([{ code: `globalThis.${ENTER} = ${source}`, filename: PRELUDE_NAME }], WARM_UP);
}

export function loadSnapshot(bytes: ArrayBuffer): Prelude {
  return new ivm.ExternalCopy(bytes);
}

/** A fresh isolate with its prelude loaded. It knows nothing of a run yet, and serves one. */
export type EmptyIsolate = { heapMib: number; open(config: string, listener: IsolateListener): ScriptIsolate; dispose(): void };

/** Makes a fresh isolate and context: most of the work before a script can begin. */
export function makeIsolate(prelude: Prelude, heapMib: number): EmptyIsolate {
  let onHeapEnd = (): void => {};
  const isolate = new ivm.Isolate({ memoryLimit: heapMib, snapshot: prelude, onCatastrophicError: () => onHeapEnd() });
  const context = isolate.createContextSync();
  const enter: Enter = context.evalSync(TAKE_ENTER, { reference: true });
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
  function receive(id: unknown, operation: unknown, payload: unknown, seen: unknown): void {
    if (over || outcome !== undefined || typeof id !== 'number' || typeof operation !== 'string' || typeof payload !== 'string') return;
    if (operation === 'outcome') {
      outcome = payload;
      lastTurn = setTimeout(() => endWithOutcome(false), LAST_TURN_MS);
      return;
    }
    if (operation === 'turn') return void turn('turn');
    if (id > 0) open.add(id);
    listener.onCall(id, operation, payload, typeof seen === 'number' && seen >= 0 ? Math.floor(seen) : 0);
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
