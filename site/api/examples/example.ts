import type { z } from 'zod';
import type { AdminApi, FilePart } from '../../../contract/calls.ts';
import type { Endpoint, ParamsOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { EndpointId, Endpoints } from '../../../contract/index.ts';
import type { Json as JsonValue } from '../../../contract/run-events.ts';
import type { Run } from '../../../contract/runs.ts';
import { callFingerprint } from '../../../runner/call-key.ts';
import type { PasskeyBrowser } from '../../../test/helpers/passkey-browser.ts';
import type { ClaimedRun, RunBody } from '../../../test/helpers/runs.ts';
import type { Doubles } from '../doubles.ts';

/** What the examples of the reference are made of. The compiler holds each to the types of its endpoint. */

type Params<E extends Endpoint> = [keyof ParamsOf<E['path']>] extends [never] ? { params?: never } : { params: ParamsOf<E['path']> };
type Query<E> = E extends { query: infer Q extends z.ZodType }
  ? object extends z.input<Q>
    ? { query?: z.input<Q> }
    : { query: z.input<Q> }
  : { query?: never };
type Json<E> = E extends { body: infer B extends z.ZodType } ? z.input<B> : never;
type Parts<E> = { file: FilePart } & ([Json<E>] extends [never] ? object : Json<E>);
type SentBody<E> = E extends { multipart: true } ? Parts<E> : Json<E>;
type Body<E> = [SentBody<E>] extends [never]
  ? { body?: never }
  : object extends SentBody<E>
    ? { body?: SentBody<E> }
    : { body: SentBody<E> };

/** Whose token a request carries: its value, and the variable that stands for it in the commands. null: none is needed. */
export type Bearer = { value: string; shown: string } | null;

export type Details = {
  /** Default: the owner's. */
  by?: Bearer;
  headers?: Record<string, string>;
  /** What a reader must know about this example: what was there before, or which double answered. */
  note?: string;
  /** The documented error with which it is refused, because the shop of the examples lacks what it needs. */
  refused?: ErrorCode;
  /** What happens while a stream is open. */
  meanwhile?: () => Promise<unknown>;
};

export type Example<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Details;
type Made<E extends Endpoint> = Example<E> | ((shop: ExampleShop) => Example<E> | Promise<Example<E>>);

type IdsOf<Resource extends string> = Extract<EndpointId, `${Resource}.${string}`>;
export type Resource = EndpointId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never;

/** The examples of a resource: one for each operation, in the order in which they are carried out. */
export type ExamplesOf<Name extends string> = { readonly [Id in IdsOf<Name>]: Made<Endpoints[Id]> };

type TaskValues = Parameters<AdminApi['ai_tasks']['create']>[0];

/** The shop in which the examples are carried out. */
export type ExampleShop = {
  /** The owner's client, for what an example needs beforehand. */
  api: AdminApi;
  as(token: string): AdminApi;
  /** The answer that the example of this operation had. */
  got<Id extends EndpointId>(id: Id): ResponseOf<Endpoints[Id]>;
  /** Lets the runner carry out the run, and resolves with the ended run. */
  finish(taskId: number, runId: number): Promise<Run>;
  /** Makes a task, starts a run of it and takes it as a runner does. */
  claimed(task: Partial<TaskValues>, run?: RunBody): Promise<ClaimedRun>;
  /** Begins the sign-in of a client of agents; resolves with the name of its request. */
  askForAgent(): Promise<string>;
  /** Stores an order with a line of a subscription, which a storefront made and which is paid; resolves with its id. */
  paidSubscriptionOrder(): Promise<number>;
  /** Sends a mail that the mail server refuses; resolves with its id. */
  failedMail(): Promise<number>;
  /** A browser with a passkey, once an example has made it. */
  browser: PasskeyBrowser;
  /** Runs that one example leaves for others. */
  runs: Map<string, ClaimedRun>;
  runOf(name: string): ClaimedRun;
  runnerToken: string;
  doubles: Doubles;
};

/** The token of a run, as its runner has it. */
export const ofRun = ({ claim }: ClaimedRun): Bearer => ({ value: claim.report_token, shown: 'RUN_TOKEN' });
/** The token with which a script's calls are made, and the key that names the call. */
export const ofScript = ({ claim }: ClaimedRun): Bearer => ({ value: claim.token, shown: 'SCRIPT_TOKEN' });

export function keyOf({ claim }: ClaimedRun, method: string, path: string, body: JsonValue): Record<string, string> {
  return { 'idempotency-key': `"${claim.epoch}/${callFingerprint(method, path, body)}/0"` };
}
