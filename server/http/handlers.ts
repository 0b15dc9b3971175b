import type { InputOf, ResponseOf } from '../../contract/endpoint.ts';
import type { EndpointId, endpoints } from '../../contract/index.ts';
import type { Ctx } from '../context.ts';

type Endpoints = typeof endpoints;

/** The verb behind an endpoint: gets the checked input, returns the wire object. */
export type Verb<Id extends EndpointId> = (ctx: Ctx, input: InputOf<Endpoints[Id]>) => Promise<ResponseOf<Endpoints[Id]>>;

/** What a resource's `routes.ts` exports: endpoint id → verb. */
export type Handlers = { [Id in EndpointId]?: Verb<Id> };
