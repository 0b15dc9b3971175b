import { z } from 'zod';

/** A fault that the check of a source found, with its place. */
export const SourceWarning = z.object({ line: z.int(), column: z.int(), message: z.string() });
export type SourceWarning = z.infer<typeof SourceWarning>;
