import type { Json } from './index.ts';

/**
 * How the server signs a request. Secrets stand by their names, without `secret()`: the version must declare them, and they sign requests
 * to their own hosts alone. The script never sees the signature. Of a receiver of webhooks that checks `X-Hub-Signature-256`:
 *
 *     await http.request({
 *       method: 'POST',
 *       url: 'https://hooks.example.com/orders',
 *       body: { order: 7 },
 *       sign: { scheme: 'hmac-sha256', secret: 'hook_key', header: 'X-Hub-Signature-256', prefix: 'sha256=' },
 *       sample: { status: 200 },
 *     });
 *
 * A file in S3, or in what is compatible with it:
 *
 *     await http.request({
 *       method: 'PUT',
 *       url: 'https://my-bucket.s3.eu-central-1.amazonaws.com/reports/today.csv',
 *       body: csv,
 *       sign: { scheme: 'aws-sigv4', access_key_id: 's3_id', secret_access_key: 's3_key', region: 'eu-central-1', service: 's3' },
 *       sample: { status: 200 },
 *     });
 */
export type HttpSign =
  | {
      scheme: 'hmac-sha256';
      secret: string;
      /** Default: `x-signature`. */
      header?: string;
      /** Default: `hex`. */
      encoding?: 'hex' | 'base64';
      /** Before the signature, such as `sha256=`; it may contain `{timestamp}`. */
      prefix?: string;
      /** What is signed. Default: `{body}`; it may also contain `{timestamp}`, `{method}` and `{path}`, the path with its query. */
      signed?: string;
      /** Default: `seconds` since 1970. */
      timestamp?: 'seconds' | 'milliseconds' | 'iso';
      /** The header with the time that is signed. */
      timestamp_header?: string;
    }
  | {
      scheme: 'aws-sigv4';
      access_key_id: string;
      secret_access_key: string;
      session_token?: string;
      region: string;
      /** Such as `s3`. */
      service: string;
    }
  /** `user`: a text, or the name of a secret. */
  | { scheme: 'basic'; user: string | { secret: string }; password?: string }
  | {
      scheme: 'jwt-hs256';
      secret: string;
      /** Such as `iss`, `sub` and `aud`; the server sets `iat` and `exp`. */
      claims?: { [name: string]: Json };
      /** Seconds, at most 3600. Default: 60. */
      expires_in?: number;
      /** Default: `authorization`. */
      header?: string;
      /** Default: `Bearer ` with its blank. */
      prefix?: string;
    }
  | {
      scheme: 'oauth2-client-credentials';
      /** `http_allow` must cover `POST` to it, and it must be on a host of both secrets. */
      token_url: string;
      client_id: string;
      client_secret: string;
      scope?: string;
      audience?: string;
      /** Where the request for the token has id and secret. Default: `basic`. */
      client_auth?: 'basic' | 'body';
    };
