import type { Answers, Question, Reply, ScriptState } from './protocol.ts';
import workerUrl from './types-worker.ts?worker&url';

/** Asks the worker with TypeScript, which is started at once, and ends with `close`. */
export type Types = {
  set(state: ScriptState): void;
  ask<Name extends keyof Answers>(name: Name, asks: Answers[Name]['asks']): Promise<Answers[Name]['answer']>;
  close(): void;
};

type Waiting = { resolve(answer: never): void; reject(error: Error): void };

export function openTypes(): Types {
  const waiting = new Map<number, Waiting>();
  const worker = new Worker(scriptUrl(workerUrl), { type: 'module' });
  let state: ScriptState | undefined;
  let isSent = false;
  let last = 0;

  let failure: Error | undefined;

  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => settle(data));
  worker.addEventListener('error', ({ message }) => failAll(new Error(message || 'the types could not be loaded')));
  function settle(reply: Reply): void {
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) one?.reject(new Error(reply.error));
    // The answer to a question has the type that the question was asked for.
    else one?.resolve(reply.answer as never);
  }
  function failAll(error: Error): void {
    failure = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    set(next) {
      state = next;
      isSent = false;
    },
    ask(name, asks) {
      if (failure) return Promise.reject(failure);
      last += 1;
      const question = { id: last, name, asks, ...(isSent || !state ? {} : { state }) } as Question;
      isSent = true;
      return new Promise((resolve, reject) => {
        waiting.set(question.id, { resolve, reject });
        worker.postMessage(question);
      });
    },
    close() {
      worker.terminate();
      // Nobody waits for these answers any more.
      waiting.clear();
    },
  };
}

type Policy = { createScriptURL(url: string): string };
type Policies = { createPolicy(name: string, rules: Policy): Policy };
let policy: Policy | undefined;

/** Scripts of workers come from this server alone. Where the browser has Trusted Types, its policy `backroom` lets them pass. */
function scriptUrl(url: string): string {
  policy ??= policies()?.createPolicy('backroom', { createScriptURL: ofThisServer }) ?? { createScriptURL: ofThisServer };
  return policy.createScriptURL(url);
}

function policies(): Policies | undefined {
  return 'trustedTypes' in globalThis ? (Reflect.get(globalThis, 'trustedTypes') as Policies) : undefined;
}

function ofThisServer(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError('a worker must come from this server');
  return url;
}
