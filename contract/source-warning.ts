import { z } from 'zod';

/** What the check of a source says of a place in it. */
export const SourceWarning = z.object({ line: z.int(), column: z.int(), message: z.string() });
export type SourceWarning = z.infer<typeof SourceWarning>;
