import { REPORT_MAX_BYTES } from '../contract/run-events.ts';

const BATCH_MAX_EVENTS = 1000;
const BATCH_MAX_BYTES = 1024 * 1024;
/** What a report has beside its events. */
const BESIDE_BYTES = 64 * 1024;

/** The events that wait for a report, in their order, as JSON text. `hasLive`: one of them is to be sent soon. */
export type EventQueue = { events: string[]; bytes: number; hasLive: boolean };

export function addEvent(queue: EventQueue, json: string, live: boolean): void {
  queue.events.push(json);
  queue.bytes += Buffer.byteLength(json);
  queue.hasLive ||= live;
}

/** Whether the events fill a report. */
export function isFull({ events, bytes }: EventQueue): boolean {
  return events.length >= BATCH_MAX_EVENTS || bytes >= BATCH_MAX_BYTES;
}

/** Takes the events of one report. `hasRoom`: they are all that waited, and the report may have one more, of so many bytes. */
export function takeBatch(queue: EventQueue, lastBytes: number): { events: string[]; hasRoom: boolean } {
  const { events } = queue;
  let bytes = 0;
  let count = 0;
  while (count < events.length && count < BATCH_MAX_EVENTS && (count === 0 || bytes < BATCH_MAX_BYTES)) {
    bytes += Buffer.byteLength(events[count] ?? '');
    count += 1;
  }
  queue.bytes -= bytes;
  if (count === events.length) queue.hasLive = false;
  const taken = events.splice(0, count);
  return {
    events: taken,
    hasRoom: events.length === 0 && count < BATCH_MAX_EVENTS && (count === 0 || bytes + lastBytes < REPORT_MAX_BYTES - BESIDE_BYTES),
  };
}

/** Puts events that were taken to the front again. */
export function putBack(queue: EventQueue, taken: readonly string[]): void {
  queue.events = [...taken, ...queue.events];
  queue.bytes += taken.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
}
