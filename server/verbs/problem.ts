import { type ErrorCode, type ErrorItem, errorCodes } from '../../contract/errors.ts';

/** A refusal. It has only a code; `calls/problem.ts` adds the status. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly ErrorItem[];
  readonly extra: Readonly<Record<string, unknown>>;
  /** True if the call's request had left the house before the refusal, so that it may have had its effect. */
  readonly sent: boolean;
  /** The time that the journal has of it, to which it moves the script's clock. */
  readonly at: string | undefined;
  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: readonly ErrorItem[]; extra?: Record<string, unknown>; sent?: boolean; at?: string; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'Refusal';
    this.code = code;
    this.errors = options.errors ?? [];
    this.extra = options.extra ?? {};
    this.sent = options.sent ?? false;
    this.at = options.at;
  }
}

/** 422 for one value of the body, with a JSON pointer to it such as `/status`. */
export function refuseValue(code: ErrorCode, pointer: string, detail: string, extra?: Record<string, unknown>): Refusal {
  return new Refusal(code, detail, { errors: [{ pointer, parameter: null, code, detail }], ...(extra ? { extra } : {}) });
}

/** 422 for one query parameter. */
export function refuseParameter(code: ErrorCode, parameter: string, detail: string): Refusal {
  return new Refusal(code, detail, { errors: [{ pointer: null, parameter, code, detail }] });
}

/** 403 for a missing permission, which the answer also names in a header (spec AU8). */
export function refusePermission(code: ErrorCode, permissions: readonly string[], detail: string): Refusal {
  return new Refusal(code, detail, { extra: { required_permission: permissions[0], permissions } });
}

export function notFound(what: string, id: number | string): Refusal {
  return new Refusal('not_found', `There is no ${what} ${id}.`);
}

/** A refusal for several wrong values at once. */
export function refuseValues(errors: readonly ErrorItem[]): Refusal {
  const [first] = errors;
  const single = errors.length === 1 && first && isErrorCode(first.code) ? first.code : 'validation_failed';
  const named = errors.slice(0, 5).map((e) => `${e.pointer ?? e.parameter ?? 'value'}: ${e.detail}`);
  return new Refusal(single, named.join('; '), { errors });
}

/** Refuses ids in a body that name no record, each at its place in the list. `what` is for example `file`. */
export function refuseMissing(
  ids: readonly number[],
  known: { has(id: number): boolean },
  { code, what, pointerTo }: { code: ErrorCode; what: string; pointerTo: (index: number) => string },
): void {
  const errors = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: pointerTo(index), parameter: null, code, detail: `there is no ${what} ${id}` }],
  );
  if (errors.length > 0) throw refuseValues(errors);
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
