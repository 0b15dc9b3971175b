import { on } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type OrderBatch, type OrderPlan, orderBatches } from './make-orders.ts';

/** How many batches are made in advance: enough that neither thread waits for the other, and few, because they stay in memory. */
const AHEAD = 2;

/** The batches of `orderBatches`, made in a thread of its own while this thread writes earlier batches. */
export async function* orderBatchesOfThread(plan: OrderPlan): AsyncGenerator<OrderBatch> {
  const thread = new Worker(new URL('./order-thread.ts', import.meta.url), {
    workerData: plan,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 },
  });
  try {
    const messages = on(thread, 'message');
    for (let i = 0; i < AHEAD; i++) thread.postMessage('next');
    for await (const [message] of messages) {
      const batch: OrderBatch | null = message;
      if (batch === null) return;
      thread.postMessage('next');
      yield batch;
    }
  } finally {
    await thread.terminate();
  }
}

if (!isMainThread) {
  const plan: OrderPlan = workerData;
  const batches = orderBatches(plan);
  parentPort?.on('message', () => parentPort?.postMessage(batches.next().value ?? null));
}
