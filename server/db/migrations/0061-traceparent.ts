/** The span of the request that opened a run, as the W3C header `traceparent`: its runner continues that trace; null: there was no tracing. */
export const statements: readonly string[] = ['ALTER TABLE runs ADD COLUMN traceparent TEXT'];
