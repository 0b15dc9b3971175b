import { z } from 'zod';
import type { Json, JsonObject } from '../contract/run-events.ts';

/**
 * Schema for values that JSON.parse returned, which therefore are JSON. z.json() would walk through the whole value: for 1 MiB
 * it blocks the daemon, and with it the runs in all slots, for 60 ms.
 */
export const ParsedJson = z.custom<Json>((value) => value !== undefined);
export const ParsedObject = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
