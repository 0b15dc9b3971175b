import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Artifact, artifactsEndpoints } from '../contract/artifacts.ts';
import { refusalOf } from './admin-call.ts';
import { type Answer, failure, type RunContext } from './run-context.ts';
import { isUnanswered, type Reply } from './server-client.ts';

/** Content types that can stand in a header without escaping. */
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[\x20-\x7e]*)?$/;
/** One block of an artifact's content. The first block starts the upload; the last one completes it. `data` is base64. */
export const FileWritePayload = z.object({
  /** The number that the guest gives this artifact; it stays the same when the artifact is sent again. */
  write: z.int().min(1),
  name: z.string().min(1).max(1000),
  content_type: z.string().max(255).regex(CONTENT_TYPE),
  size: z.int().min(0),
  offset: z.int().min(0),
  data: z.base64().max(1_500_000),
});

type Block = z.infer<typeof FileWritePayload>;
/** `over`: the server has answered, possibly before the whole file was sent. */
type Upload = { size: number; sent: number; body: PassThrough; boundary: string; reply: Promise<Reply | null>; over: boolean };

/** The artifacts that one run is uploading at present. */
export type ArtifactUploads = {
  /**
   * Sends one block to the server and resolves when the server can take the next. The answer to the last block is the
   * artifact, or `{"again":true}` where the guest must send the whole file again.
   */
  write(run: RunContext, block: Block): Promise<Answer | null>;
  close(): void;
};

const OPEN_MAX = 16;
const UPLOAD_TIMEOUT_MS = 1_800_000;
const RESEND_DELAY_MS = 500;

/**
 * The runner stores no part of an artifact: the blocks become the body of one request. When that request is lost, the guest,
 * which still has the whole file, sends all blocks again; the server recognises content that it already has.
 */
export function createArtifactUploads(): ArtifactUploads {
  const open = new Map<number, Upload>();
  const closed = new AbortController();

  return {
    async write(run, block) {
      const bytes = Buffer.from(block.data, 'base64');
      if (block.offset === 0 && !open.has(block.write) && open.size < OPEN_MAX) open.set(block.write, begin(run, block));
      const upload = open.get(block.write);
      const end = block.offset + bytes.length;
      const isNext = upload?.sent === block.offset && upload.size === block.size && end <= block.size;
      if (!upload || !isNext || (bytes.length === 0 && block.size > 0)) return failure('files.write: this is not the next block of a file');
      upload.sent = end;
      await pass(upload, bytes);
      if (end < block.size && !upload.over) return { value: 'null' };
      open.delete(block.write);
      if (!upload.over) upload.body.end(`\r\n--${upload.boundary}--\r\n`);
      return answerTo(run, block, await upload.reply);
    },
    close() {
      closed.abort();
      for (const { body } of open.values()) body.destroy();
      open.clear();
    },
  };

  function begin(run: RunContext, { name, content_type, size }: Block): Upload {
    const boundary = randomUUID();
    const body = new PassThrough();
    // An error of the body also fails the request, and `send` handles it there.
    body.on('error', () => {});
    const disposition = `form-data; name="file"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;
    body.write(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${content_type}\r\n\r\n`);
    const upload: Upload = { size, sent: 0, body, boundary, reply: send(run, body, boundary, closed.signal), over: false };
    void upload.reply.then(() => {
      upload.over = true;
    });
    return upload;
  }
}

/** Returns null when no answer came, or one that does not say whether the artifact was stored. */
async function send(run: RunContext, body: PassThrough, boundary: string, signal: AbortSignal): Promise<Reply | null> {
  const contentType = `multipart/form-data; boundary=${boundary}`;
  try {
    const to = run.reports.target(artifactsEndpoints['runner.write_artifact']);
    const reply = await run.reports.once({ to, body, contentType, timeoutMs: UPLOAD_TIMEOUT_MS, signal });
    return isUnanswered(reply) ? null : reply;
  } catch {
    return null;
  } finally {
    body.destroy();
  }
}

/** Resolves once the block has been sent, or the request has ended and takes no more. */
function pass({ body }: Upload, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    body.write(bytes, () => resolve());
  });
}

async function answerTo(run: RunContext, { name }: Block, reply: Reply | null): Promise<Answer | null> {
  if (reply === null) {
    await delay(RESEND_DELAY_MS);
    return { value: '{"again":true}', resend: true };
  }
  if (reply.status !== 201)
    return refusalOf(
      run,
      { to: run.reports.target(artifactsEndpoints['runner.write_artifact']), what: `files.write("${name.slice(0, 100)}")` },
      reply,
    );
  const { created_at } = Artifact.parse(JSON.parse(reply.text));
  return { value: reply.text, movesTo: Date.parse(created_at) };
}
