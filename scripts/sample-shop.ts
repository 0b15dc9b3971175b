import { parseArgs } from 'node:util';
import { CommandError, runOnStore } from '../server/shop-data/command.ts';
import { showProgress } from '../server/shop-data/progress.ts';
import { fillSampleShop } from '../server/shop-data/sample/fill.ts';

await runOnStore(async () => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      clock: { type: 'string' },
      orders: { type: 'string', default: '2000' },
    },
  });
  const shop = {
    seed: integer('--seed', values.seed, 0, 2 ** 31 - 1),
    now: values.clock === undefined ? new Date() : clock(values.clock),
    orders: integer('--orders', values.orders, 0, 10_000_000),
  };
  return async (store) => {
    const progress = showProgress(process.stderr);
    await fillSampleShop(store, { ...shop, onProgress: progress.update }).finally(() => progress.end());
    process.stdout.write(`The sample shop is filled: ${shop.orders} orders up to ${shop.now.toISOString()}, seed ${shop.seed}.\n`);
  };
});

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
