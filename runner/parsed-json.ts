import { z } from 'zod';
import type { Json, JsonObject } from '../contract/run-events.ts';

/**
 * Values that come out of JSON.parse are JSON already; walking 1 MiB of them with z.json() holds the daemon
 * for 60 ms, all slots alike.
 */
export const ParsedJson = z.custom<Json>((value) => value !== undefined);
export const ParsedObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
