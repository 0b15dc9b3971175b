import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { type Answer, type Call, type Executor, NO_BODY, type RequestBody } from '../calls/call.ts';
import { isAnswered, parseKey, scopeOf } from '../calls/keys/idempotency.ts';
import { findRecord } from '../calls/verb/record-etags.ts';
import type { FileStore } from '../providers/files/file-store.ts';
import { fileRequired, openGrowth } from '../resources/storage/domain.ts';
import { cleanContentType, cleanFilename } from '../resources/storage/rules.ts';
import type { Services } from '../services.ts';
import type { Upload } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import type { Input, UploadRoute, UploadRule } from '../verbs/route.ts';
import { type FilePart, type Form, OUTSIDE_FILE_MAX_BYTES, readForm } from './form.ts';

/** A form that has been received, with its file in the file store; `discard` removes the file if the request has no effect. */
type Received = {
  body: RequestBody;
  upload: Upload | null;
  discard(): Promise<void>;
  /** Called when it is known whether the file is kept; until then its space stays reserved. */
  settled(isKept: boolean): void;
};

type Route = UploadRoute<Input, unknown>;

/**
 * Receives the file before the transaction. After a refusal no row names the file, so it is deleted. After any other failure that is not
 * known, and the sweep of orphaned files decides.
 */
export async function answerUpload(executor: Executor, call: Call, { rule, verb }: Route, request: IncomingMessage): Promise<Answer> {
  if (call.actor.type === 'task' && call.actor.dryRun && !call.endpoint.ownRun)
    throw new Refusal('not_applicable', 'A dry run cannot upload a file.');
  const received = await receiveUpload(executor, call, rule, request);
  const { body, upload } = received;
  let isKept = false;
  try {
    const prepared = upload ? { ...call.prepared, upload } : call.prepared;
    const answer = await executor.execute({ ...call, body, prepared, verb, isHeavy: false });
    isKept = !answer.replayed && answer.status < 400;
    if (!isKept) await received.discard();
    return answer;
  } catch (error) {
    if (error instanceof Refusal) await received.discard();
    throw error;
  } finally {
    received.settled(isKept);
  }
}

/**
 * Refuses before the file has arrived what the transaction would refuse anyway: an unknown record, one file too many, wrong values
 * (spec CU3, CU4).
 */
async function receiveUpload(
  { services, recordVersions }: Executor,
  call: Call,
  rule: UploadRule,
  request: IncomingMessage,
): Promise<Received> {
  const { store, files, settings } = services;
  if (await isRepeated(services, call))
    return { ...(await receiveForm(request, { ...rule, files: discardingFiles, checkSize: () => undefined })), upload: null };
  await store.snapshot((db) => findRecord(recordVersions, db, call));
  const growth = await openGrowth(store.reader, await settings.get(store.reader), rule, services.incoming);
  const checkSize: Taking['checkSize'] = (sizeBytes, fields) => {
    try {
      growth.grow(sizeBytes);
    } catch (refusal) {
      call.values(Object.fromEntries(fields));
      throw refusal;
    }
  };
  try {
    const received = await receiveForm(request, { ...rule, files, checkSize });
    if (!received.upload) throw fileRequired();
    return { ...received, settled: growth.end };
  } catch (error) {
    growth.end(false);
    throw error;
  }
}

/** Whether an answer is stored under the request's key. The transaction will find that answer and only compares the digests. */
async function isRepeated({ store }: Services, { endpoint, actor, target, header }: Call): Promise<boolean> {
  const key = parseKey(header('idempotency-key'));
  if (key === undefined || actor.type === 'task') return false;
  return isAnswered(store.reader, scopeOf(actor, endpoint.method, target, key));
}

const discardingFiles: Pick<FileStore, 'draft'> = {
  draft: async () => ({ key: '', write: async () => undefined, keep: async () => undefined, discard: async () => undefined }),
};

type Taking = UploadRule & {
  files: Pick<FileStore, 'draft'>;
  /** Throws if a file of this size is too large. */
  checkSize(sizeBytes: number, fields: Form<unknown>['fields']): void;
};

type Taken = { upload: Upload; discard(): Promise<void> };

const NOTHING: Received = {
  body: NO_BODY,
  upload: null,
  discard: async () => undefined,
  settled: () => undefined,
};

/**
 * Receives a form; its file goes straight to the file store. `raw` of the body, which an idempotency key compares, is made of the digests
 * of the parts. A request that is not a form has no file.
 */
async function receiveForm(request: IncomingMessage, taking: Taking): Promise<Received> {
  const boundary = boundaryOf(request);
  if (boundary === null) return NOTHING;
  const form = await readForm(request, boundary, (part, before) => takeFile(part, before, taking, minimumFileBytes(request)));
  const { fields, otherFiles, file } = form;
  // A file is no text, and its name no known field, so the checks refuse one under another name.
  const value = { ...Object.fromEntries(fields), ...Object.fromEntries(otherFiles) };
  const digests = [...fields].map(([name, text]) => [name, digest(text)]);
  const raw = Buffer.from(JSON.stringify([digests, file && [file.upload.filename, file.upload.contentType, file.upload.sha256]]));
  return { ...NOTHING, body: { raw, value, numbers: [] }, upload: file?.upload ?? null, discard: file?.discard ?? NOTHING.discard };
}

function boundaryOf({ headers }: IncomingMessage): string | null {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', `Send the form without Content-Encoding, not as ${encoding}.`);
  }
  try {
    const type = new MIMEType(headers['content-type'] ?? '');
    return type.essence === 'multipart/form-data' ? type.params.get('boundary') : null;
  } catch {
    return null;
  }
}

/** The least size of the file: the length of the request minus the most that a form may contain besides its file. */
function minimumFileBytes({ headers }: IncomingMessage): number {
  return Math.max(0, Number(headers['content-length'] ?? 0) - OUTSIDE_FILE_MAX_BYTES);
}

async function takeFile(
  { filename, contentType, content }: FilePart,
  fields: Form<unknown>['fields'],
  taking: Taking,
  leastBytes: number,
): Promise<Taken | null> {
  // The space is reserved before the file arrives, as far as Content-Length tells its size.
  taking.checkSize(leastBytes, fields);
  const draft = await taking.files.draft();
  const sum = createHash('sha256');
  const head: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of content) {
      if (sizeBytes < taking.headBytes) head.push(Buffer.from(chunk));
      sizeBytes += chunk.length;
      taking.checkSize(sizeBytes, fields);
      sum.update(chunk);
      await draft.write(chunk);
      release(chunk);
    }
    // Browsers send this if no file was chosen.
    if (sizeBytes === 0 && filename === '') {
      await draft.discard();
      return null;
    }
    await draft.keep();
  } catch (error) {
    await draft.discard();
    throw error;
  }
  const upload: Upload = {
    key: draft.key,
    filename: cleanFilename(filename),
    contentType: cleanContentType(contentType),
    sizeBytes,
    sha256: sum.digest('hex'),
    counts: taking.counts,
    head: Buffer.concat(head).subarray(0, taking.headBytes),
  };
  return { upload, discard: () => draft.discard() };
}

/** Frees the memory of a chunk at once. If the garbage collector did it, a fast upload would pile up tens of megabytes. */
function release({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
