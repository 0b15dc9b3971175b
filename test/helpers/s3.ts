import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Settings } from '../../server/providers/files/s3.ts';

export type S3 = {
  settings: S3Settings;
  /** The `X-Request-Id` of each request that came. */
  requestIds: (string | string[] | undefined)[];
  /** Each request that came, with its address below the endpoint. */
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
};

/** An S3-compatible server with one bucket, on the loopback interface. */
export async function startS3(): Promise<S3> {
  const directory = await mkdtemp(join(tmpdir(), 'backroom-s3-'));
  const bucket = 'shop-files';
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: bucket, configs: [] }] });
  const requestIds: S3['requestIds'] = [];
  const requests: S3['requests'] = [];
  server.middleware.unshift(({ method, url, headers }, next) => {
    requests.push({ method, url, headers });
    requestIds.push(headers['x-request-id']);
    return next();
  });
  const { port } = await server.run();
  return {
    settings: { bucket, region: 'us-east-1', endpoint: `http://127.0.0.1:${port}`, accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestIds,
    requests,
    async close() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
