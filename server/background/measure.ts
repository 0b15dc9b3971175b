import { statfs } from 'node:fs/promises';
import { measureQueue } from '../automation/runner/domain.ts';
import type { Metrics, ShopGauges } from '../process/metrics.ts';
import { countDue } from '../resources/mail/domain.ts';
import type { Services } from '../services.ts';

/**
 * Measures what `/metrics` tells of the shop as a whole and of this server's disk. It is done in a loop, so that requests for the metrics,
 * which need no token, never use the store.
 */
export async function measure({ store, settings, metrics, config }: Services): Promise<void> {
  await measureDisk(metrics, config.dataDir);
  const { reader, dialect } = store;
  const queue = await measureQueue({ db: reader, dialect }, Date.now());
  const mailsDue = await countDue({ db: reader, dialect }, await settings.get(reader));
  setAll(metrics.shop, { ...queue, mailsDue });
}

function setAll(gauges: ShopGauges, values: Record<keyof ShopGauges, number>): void {
  gauges.queueDepth.set(values.queueDepth);
  gauges.queueOldestSeconds.set(values.queueOldestSeconds);
  gauges.openClaims.set(values.openClaims);
  gauges.runners.set(values.runners);
  gauges.runnerSlots.set(values.runnerSlots);
  gauges.mailsDue.set(values.mailsDue);
}

/** Where the folder does not exist (yet), nothing is set: with PostgreSQL and S3 a server needs none. */
async function measureDisk({ dataBytes, dataFreeBytes }: Metrics, folder: string): Promise<void> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null) return;
  dataBytes.set(disk.blocks * disk.bsize);
  dataFreeBytes.set(disk.bavail * disk.bsize);
}
