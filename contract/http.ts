import { z } from 'zod';
import { endpointsOf } from './endpoint.ts';
import { SecretName } from './grants.ts';
import { httpMethods } from './http-allow.ts';
import { Sign } from './http-signing.ts';
import { Json } from './run-events.ts';

/** Requests that runs send to other systems. The server sends them, to addresses in the version's `http_allow` alone. */

/** How long a request may take, with its redirects and repeats. */
export const HTTP_MAX_MS = 30_000;
export const HTTP_ANSWER_MAX_BYTES = 4 * 1024 * 1024;
/** The body itself, as it is sent, with the values of its secrets. */
export const HTTP_BODY_MAX_BYTES = 1024 * 1024;
/** The call that carries it: a body of which JSON escapes every character, 1 MiB of everything else, and the places of secrets. */
export const HTTP_SEND_MAX_BYTES = 3.5 * 1024 * 1024;

const [GET, HEAD, ...writing] = httpMethods;

const Headers = z.record(z.string().max(100), z.string().max(16_384));

/** A place where the server puts a secret in. `url`: percent-encoded, whatever is around it. */
const SecretPlace = z.strictObject({ secret: SecretName, encode: z.literal('url').optional() });
const PIECES_MAX = 1000;
/** The base64 of these pieces together; the characters of a text stand for its bytes. */
const Base64 = z.strictObject({ base64: z.array(z.union([z.string(), SecretPlace])).max(PIECES_MAX) });
const Piece = z.union([z.string(), SecretPlace, Base64]);
export type Piece = z.infer<typeof Piece>;
/** A text in which secrets have places: the text itself where there is none, else its pieces in their order. No text is ever read as a place. */
export type PlacedText = string | readonly Piece[];

function placedText(maxLength: number) {
  const pieces = z
    .array(Piece)
    .max(PIECES_MAX)
    .refine((list) => JSON.stringify(list).length <= maxLength + 100 * list.length, `must have at most ${maxLength} characters`);
  return z.union([z.string().max(maxLength), pieces]);
}

/** What a dry run is answered instead of sending the request. */
const Sample = z.object({
  status: z.int().min(200).max(599).default(200),
  headers: Headers.default({}),
  /** A text, or a JSON value, which is sent as its text. */
  body: Json.default(''),
});

const request = {
  url: placedText(8192),
  headers: z.record(z.string().max(100), placedText(16_384)).default({}),
  timeout_ms: z.int().min(1).max(HTTP_MAX_MS).default(HTTP_MAX_MS),
  sign: Sign.optional(),
  sample: Sample.optional().meta({ description: 'The answer of a dry run, which sends nothing' }),
};

export const HttpAnswer = z
  .object({
    status: z.int(),
    /** With names in lower case; values of one name are joined by a comma and a blank. */
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    /** `text`: the body is UTF-8 and given as it is. */
    encoding: z.enum(['text', 'base64']),
    /** The address that answered, after redirects. */
    url: z.string(),
    /** Present in a dry run: the answer is the sample, and nothing was sent. */
    dry_run: z.literal(true).exactOptional(),
  })
  .meta({ id: 'HttpAnswer' });
export type HttpAnswer = z.infer<typeof HttpAnswer>;

const refusals = [
  ...(['http_not_allowed', 'http_failed', 'http_answer_too_large', 'sample_required', 'busy'] as const),
  ...(['secret_not_declared', 'secret_not_found', 'secret_host_not_allowed', 'secret_unreadable'] as const),
];

export const httpEndpoints = endpointsOf(
  {
    id: 'http.fetch',
    method: 'POST',
    path: '/http/fetch',
    summary: 'Send a GET or HEAD request to another system; only runs can, to addresses in http_allow',
    permission: 'http_request',
    body: z.object({ method: z.enum([GET, HEAD]), ...request }),
    response: HttpAnswer,
    refusals,
    /** A run that is resumed gets the answer again, as that of any read. */
    writes: false,
  },
  {
    id: 'http.send',
    method: 'POST',
    path: '/http/send',
    undo: { irreversible: 'Another system has got the request. Ask that system to take it back.' },
    summary: 'Send a request that changes something in another system; only runs can, to addresses in http_allow',
    permission: 'http_request',
    body: z.object({
      method: z.enum(writing),
      ...request,
      body: z
        .union([z.string(), z.array(Piece).max(PIECES_MAX)])
        .optional()
        .meta({ description: `At most ${HTTP_BODY_MAX_BYTES} bytes as it is sent` }),
      encoding: z.enum(['text', 'base64']).default('text'),
      /** True: the request is sent again if it is not known whether an earlier one arrived. */
      repeat: z.boolean().default(false),
    }),
    bodyLimitBytes: HTTP_SEND_MAX_BYTES,
    response: HttpAnswer,
    refusals: [...refusals, 'outcome_unknown', 'body_too_large'],
  },
);
