import type { noticeCodes } from '../../contract/assistant.ts';

/** Why a turn ends without an answer, in words for the person. */
export class CannotGoOn extends Error {
  readonly code: (typeof noticeCodes)[number];
  constructor(code: (typeof noticeCodes)[number], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
