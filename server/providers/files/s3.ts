import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { requestIdHeader } from '../../process/request-id.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import type { Draft, FileStore } from './file-store.ts';

export type S3Settings = {
  bucket: string;
  region: string;
  /** Address of a provider other than AWS; the name of the bucket is then part of the path. */
  endpoint: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
};

const KEY = /^[0-9a-f]{40}$/;
/** S3 accepts parts of 5 MiB or more; only the last part may be smaller. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Stores files in a bucket, each as an object under its key. Files larger than a part are sent by a multipart upload, which is invisible
 * until it is completed. Keys begin with eight digits of the shop, so that shops can share a bucket. Throws if the bucket cannot be
 * reached.
 */
export async function s3Files({ bucket, region, endpoint, accessKeyId, secretAccessKey }: S3Settings, prefix: string): Promise<FileStore> {
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    credentials: { accessKeyId, secretAccessKey },
    // Other providers do not support the checksums that AWS introduced later.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  client.middlewareStack.add(
    (next) => (args) => {
      addRequestId(args.request);
      return next(args);
    },
    { step: 'deserialize', name: 'requestId' },
  );
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        outgoingSpan(`S3 ${commandName.replace(/Command$/, '')}`, endpoint ?? `https://s3.${region}.amazonaws.com`, {}, () => next(args)),
    { step: 'initialize', name: 'span' },
  );
  const Bucket = bucket;
  await client.send(new HeadBucketCommand({ Bucket }));
  const isOwn = (key: string): boolean => KEY.test(key) && key.startsWith(prefix);
  return {
    draft: async () => draftOf(client, Bucket, prefix + randomBytes(16).toString('hex')),
    async open(key, range) {
      if (!KEY.test(key)) return null;
      const Range = range && `bytes=${range.start}-${range.start + range.length - 1}`;
      try {
        const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }));
        if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error(`the file store gave no content for ${key}`);
        return {
          sizeBytes: ContentLength,
          chunks: () => Body,
          close: async () => void Body.destroy(),
        };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async remove(key) {
      if (KEY.test(key)) await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    },
    async *keysBefore(timeMs) {
      for (let token: string | undefined; ; ) {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token }));
        const old = (page.Contents ?? []).filter(({ LastModified }) => LastModified !== undefined && LastModified.getTime() < timeMs);
        yield old.flatMap(({ Key = '' }) => (isOwn(Key) ? [Key] : []));
        token = page.NextContinuationToken;
        if (token === undefined) return;
      }
    },
    async removeDraftsBefore(timeMs) {
      for (let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {}; marker; ) {
        const page: ListMultipartUploadsCommandOutput | undefined = await ifImplemented(
          client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, ...marker })),
        );
        if (!page) return;
        for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
          if (isOwn(Key) && Initiated !== undefined && Initiated.getTime() < timeMs) {
            await ifImplemented(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
          }
        }
        const { NextKeyMarker: next, NextUploadIdMarker: nextUpload } = page;
        marker =
          page.IsTruncated === true && next !== undefined ? { KeyMarker: next, ...(nextUpload && { UploadIdMarker: nextUpload }) } : null;
      }
    },
  };
}

/** Runs after the request was signed: a signed header would forbid a proxy on the way to set an id of its own. */
function addRequestId(request: unknown): void {
  if (typeof request === 'object' && request !== null && 'headers' in request) Object.assign(Object(request.headers), requestIdHeader());
}

const UNKNOWN = new Set(['NotImplemented', 'MethodNotAllowed']);

/** Some providers do not implement this and remove unfinished uploads by rules of the bucket; the result is then undefined. */
async function ifImplemented<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof S3ServiceException && UNKNOWN.has(error.name)) return undefined;
    throw error;
  }
}

/** Buffers bytes until they fill a part; complete parts are already at S3. */
function draftOf(client: S3Client, Bucket: string, key: string): Draft {
  const target = { Bucket, Key: key };
  const parts: { ETag: string | undefined; PartNumber: number }[] = [];
  let uploadId: string | undefined;
  let held: Buffer[] = [];
  let heldBytes = 0;

  async function sendPart(): Promise<void> {
    uploadId ??= (await client.send(new CreateMultipartUploadCommand(target))).UploadId;
    const PartNumber = parts.length + 1;
    const { ETag } = await client.send(new UploadPartCommand({ ...target, UploadId: uploadId, PartNumber, Body: take() }));
    parts.push({ ETag, PartNumber });
  }

  function take(): Buffer {
    const body = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return body;
  }

  return {
    key,
    async write(chunk) {
      // The chunk is copied, because its memory may be used again.
      held.push(Buffer.from(chunk));
      heldBytes += chunk.length;
      if (heldBytes >= PART_BYTES) await sendPart();
    },
    async keep() {
      if (uploadId === undefined) {
        await client.send(new PutObjectCommand({ ...target, Body: take() }));
        return;
      }
      if (heldBytes > 0) await sendPart();
      await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId: uploadId, MultipartUpload: { Parts: parts } }));
      uploadId = undefined;
    },
    async discard() {
      take();
      if (uploadId !== undefined) await ifImplemented(client.send(new AbortMultipartUploadCommand({ ...target, UploadId: uploadId })));
      uploadId = undefined;
      await client.send(new DeleteObjectCommand(target));
    },
  };
}
