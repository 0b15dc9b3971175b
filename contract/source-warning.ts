import { z } from 'zod';

/** What the check of a source found, with its place: a fault, or a mark (source-marks.ts). */
export const SourceWarning = z.object({ line: z.int(), column: z.int(), message: z.string() });
export type SourceWarning = z.infer<typeof SourceWarning>;

/**
 * Of what `compileTaskSource` makes. Servers store its results: a change after which these would run otherwise than newly compiled ones needs
 * the next number. A server compiles what has another number when a run of it is claimed.
 */
export const COMPILED_FORMAT = 1;
