import { z } from 'zod';

/** A fault that the check of a source found, with its place. */
export const SourceWarning = z.object({ line: z.int(), column: z.int(), message: z.string() });
export type SourceWarning = z.infer<typeof SourceWarning>;

/** Of what `compileTaskSource` makes. A change of it needs the next number, because servers store its results. */
export const COMPILED_FORMAT = 1;
