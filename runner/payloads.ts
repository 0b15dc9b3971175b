import { z } from 'zod';
import type { Json, JsonObject } from '../contract/run-events.ts';
import { Claim } from '../contract/runner.ts';
import {
  AdminApiPayload,
  CheckpointPayload,
  EventPayload,
  FileReadPayload,
  FileWritePayload,
  OncePayload,
  PromptPayload,
  SleepPayload,
} from './protocol.ts';

/**
 * Values that come out of JSON.parse are JSON already; walking 1 MiB of them with z.json() holds the daemon
 * for 60 ms, all slots alike.
 */
const ParsedJson = z.custom<Json>((value) => value !== undefined);
const ParsedObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const [LogPayload, ProgressPayload, ResultPayload] = EventPayload.options;

export const payloads = {
  admin_api: AdminApiPayload.extend({ body: ParsedJson.optional() }),
  event: z.discriminatedUnion('kind', [LogPayload, ProgressPayload, ResultPayload.extend({ details: ParsedObject })]),
  checkpoint: CheckpointPayload.extend({ state: ParsedObject }),
  once: OncePayload.extend({ value: ParsedJson.optional() }),
  sleep: SleepPayload,
  file_read: FileReadPayload,
  file_write: FileWritePayload,
  prompt: PromptPayload.extend({ fields: z.array(ParsedJson).max(1000) }),
};

export const ClaimsAnswer = z.object({
  claims: z.array(Claim.extend({ parameters: ParsedObject, checkpoint: ParsedObject.nullable() })),
});
export type ClaimedRun = z.infer<typeof ClaimsAnswer>['claims'][number];
