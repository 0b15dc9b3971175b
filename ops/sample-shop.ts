import { parseArgs } from 'node:util';
import { showProgress } from '../cli/progress-bar.ts';
import { CommandError, runOnStore } from '../server/shop-data/command.ts';
import { fillSampleShop } from '../server/shop-data/sample/fill.ts';

await runOnStore(
  async () => {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        clock: { type: 'string' },
        orders: { type: 'string', default: '2000' },
      },
    });
    const shop = {
      seed: integer('--seed', values.seed, 0, 2 ** 31 - 1),
      now: values.clock === undefined ? undefined : clock(values.clock),
      orders: integer('--orders', values.orders, 0, 10_000_000),
    };
    return async (store) => {
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      const progress = showProgress(process.stderr);
      const { outcome, state } = await fillSampleShop(store, { ...shop, onProgress: progress.update, signal: stop.signal }).finally(() =>
        progress.end(),
      );
      if (outcome === 'stopped') {
        const message = `stopped after ${state.ordersDone} of ${state.orders} orders; the same command continues from there`;
        throw new CommandError(message, { exitCode: 130 });
      }
      const content = `${state.orders} orders up to ${state.now}, seed ${state.seed}`;
      if (outcome === 'already')
        process.stdout.write(`The sample shop was filled at ${state.finishedAt}; nothing has changed: ${content}.\n`);
      else process.stdout.write(`The sample shop is filled: ${content}.\n`);
    };
  },
  { bulk: true },
);

function integer(option: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new CommandError(`${option} is "${text}": an integer from ${min} to ${max} is expected`);
}

function clock(text: string): Date {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text) ? new Date(text) : null;
  if (at && !Number.isNaN(at.getTime())) return at;
  throw new CommandError(`--clock is "${text}": a time such as 2026-06-30T12:00:00Z is expected`);
}
