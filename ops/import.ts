import { parseArgs } from 'node:util';
import { showProgress } from '../cli/progress-bar.ts';
import { print } from '../cli/screen.ts';
import { CommandError, runOnStore } from '../server/shop-data/command.ts';
import { importOnlineRetail } from '../server/shop-data/online-retail/import.ts';
import { renderReport } from '../server/shop-data/online-retail/report.ts';
import { verifyImport } from '../server/shop-data/online-retail/verify.ts';

const USAGE = 'backroom db import online-retail FILE.csv.gz   (or FILE.csv)';

await runOnStore(async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const [source, file, ...rest] = positionals;
  if (source !== 'online-retail') {
    throw new CommandError(`${source === undefined ? 'no source is named' : `the source "${source}" is unknown`}; use: ${USAGE}`);
  }
  if (file === undefined || rest.length > 0) throw new CommandError(`exactly one file is expected; use: ${USAGE}`);

  return async (store) => {
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    const progress = showProgress(process.stderr);
    const result = await importOnlineRetail(store, { file, progress, signal: stop.signal }).finally(() => progress.end());
    if (result.outcome === 'already') {
      print(process.stdout, `This file was imported completely at ${result.finishedAt}; nothing has changed.\n`);
      return;
    }
    if (result.outcome === 'stopped') {
      const message = `stopped after ${result.invoicesDone} of ${result.invoices} invoices; the same command continues from there`;
      throw new CommandError(message, { exitCode: 130 });
    }
    print(process.stdout, renderReport(result.report));
    for (const { record, reason } of result.unreadable.slice(0, 20)) print(process.stdout, `record ${record} is unreadable: ${reason}\n`);
    // The check uses the writing connection, whose cache is filled already; a reading connection would take 32 MiB more.
    const checks = await store.write((tx) => verifyImport(tx, result.report));
    const wrong = checks.filter(({ expected, found }) => expected !== found);
    if (wrong.length === 0) print(process.stdout, 'Checked: every row is accounted for, and the database holds what the file says.\n');
    for (const { what, expected, found } of wrong) print(process.stdout, `MISMATCH ${what}: ${expected} expected, ${found} found\n`);
    if (wrong.length > 0) process.exitCode = 1;
  };
});
