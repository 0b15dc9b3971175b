/** A PNG image of one pixel. */
export const PIXEL = new Uint8Array(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
);

/** The last event of a run that ended well. */
export const END = [{ kind: 'finalize', status: 'success', end_reason: 'completed' }] as const;
