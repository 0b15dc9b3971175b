import type { Grants } from '../../../../contract/grants.ts';
import type { ParameterDeclaration } from '../../../../contract/tasks.ts';

/** What somebody has written and not submitted yet. Drafts stay in this browser, each for its admin alone. */
export type DraftValues = { source: string; permissions: readonly string[]; parameters: readonly ParameterDeclaration[] } & {
  [List in keyof Grants]: readonly Grants[List][number][];
};
/** `thread`: the thread of the assistant that has written in it. */
export type Draft = DraftValues & { admin: number; task: number; base: number; at: number; thread?: number };

const STORE = 'drafts';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('backroom', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ['admin', 'task', 'base'] });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error ?? new Error('the draft is not kept'));
      transaction.onabort = () => reject(transaction.error ?? new Error('the draft is not kept'));
    });
  } finally {
    db.close();
  }
}

/** The newest draft of an admin for a task, whichever version it began from. */
export async function readDraft(admin: number, task: number): Promise<Draft | null> {
  // An array sorts after every number, so this covers all base versions.
  const all: Draft[] = await inStore('readonly', (store) => store.getAll(IDBKeyRange.bound([admin, task], [admin, task, []])));
  return all.toSorted((a, b) => b.at - a.at)[0] ?? null;
}

export async function keepDraft(draft: Omit<Draft, 'at'>): Promise<void> {
  await inStore('readwrite', (store) => store.put({ ...draft, at: Date.now() }));
}

export async function dropDraft({ admin, task, base }: Pick<Draft, 'admin' | 'task' | 'base'>): Promise<void> {
  await inStore('readwrite', (store) => store.delete([admin, task, base]));
}
