import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { S3Client } from '@aws-sdk/client-s3';
import { awsSignature } from '../../server/automation/outgoing/aws-signature.ts';

/** The examples of AWS's documentation, with its published example keys, and what the SDK of AWS makes of the same requests. */

const ID = 'AKIDEXAMPLE';
const S3_ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const S3_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const FORM = 'application/x-www-form-urlencoded';

type Headers = Record<string, string>;
type Case = { name: string; method?: string; url: string; headers?: Headers; body?: string; signature: string };

const signed = ({ method = 'GET', url, headers = {}, body }: Case, keys: object, scope: { region: string; service: string; now: Date }) =>
  awsSignature(
    { method, url, headers, body: body === undefined ? null : Buffer.from(body) },
    { accessKeyId: ID, secretAccessKey: SECRET, ...keys },
    scope,
  );

describe('AWS Signature Version 4', () => {
  const suite: Case[] = [
    {
      name: 'get-vanilla',
      url: 'https://example.amazonaws.com/',
      signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    },
    {
      name: 'get-vanilla-query-order-key-case',
      url: 'https://example.amazonaws.com/?Param2=value2&Param1=value1',
      signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    },
    {
      name: 'get-slashes',
      url: 'https://example.amazonaws.com//example//',
      signature: '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
    },
    {
      name: 'post-x-www-form-urlencoded',
      method: 'POST',
      url: 'https://example.amazonaws.com/',
      headers: { 'content-type': FORM },
      body: 'Param1=value1',
      signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    },
  ];
  for (const one of suite)
    test(`test suite: ${one.name}`, () => {
      const { signature } = signed(one, {}, { region: 'us-east-1', service: 'service', now: new Date('2015-08-30T12:36:00Z') });
      assert.equal(signature, one.signature);
    });

  test('escapes that are no text are signed and sent as they are', () => {
    const { url } = awsSignature(
      { method: 'GET', url: 'https://example.amazonaws.com/a%ff?b=%fF%41&&c=100%&d=?e=f', headers: {}, body: null },
      { accessKeyId: ID, secretAccessKey: SECRET },
      { region: 'us-east-1', service: 's3', now: new Date() },
    );
    assert.equal(url, 'https://example.amazonaws.com/a%FF?b=%FFA&c=100%25&d=%3Fe%3Df');
  });

  test('of a service other than S3, the path is encoded twice, as the SDK of AWS does it', () => {
    const one = { name: '', url: 'https://example.amazonaws.com/documents%20and%20settings/%E1%88%B4/', signature: '' };
    const { signature } = signed(one, {}, { region: 'us-east-1', service: 'execute-api', now: new Date('2015-08-30T12:36:00Z') });
    assert.equal(signature, 'dc4add6b1c5970327f4aac58d9f2ead3d0bcfdbde4fa2c92f94747c9f25aa9de');
  });

  test('IAM ListUsers: the whole header', () => {
    const url = 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08';
    const { headers } = signed(
      { name: '', url, headers: { 'content-type': `${FORM}; charset=utf-8` }, signature: '' },
      {},
      { region: 'us-east-1', service: 'iam', now: new Date('2015-08-30T12:36:00Z') },
    );
    assert.equal(
      headers['authorization'],
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    );
  });

  const bucket = 'https://examplebucket.s3.amazonaws.com';
  const ofS3: Case[] = [
    {
      name: 'GET object',
      url: `${bucket}/test.txt`,
      headers: { range: 'bytes=0-9' },
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      name: 'PUT object',
      method: 'PUT',
      url: `${bucket}/test$file.text`,
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      name: 'GET bucket lifecycle',
      url: `${bucket}/?lifecycle`,
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      name: 'list objects',
      url: `${bucket}/?max-keys=2&prefix=J`,
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ];
  for (const one of ofS3)
    test(`of S3, ${one.name}`, () => {
      const keys = { accessKeyId: S3_ID, secretAccessKey: S3_SECRET };
      const { signature } = signed(one, keys, { region: 'us-east-1', service: 's3', now: new Date('2013-05-24T00:00:00Z') });
      assert.equal(signature, one.signature);
    });

  test('an address is sent in the spelling that was signed, and the SDK of AWS signs it in the same way', async () => {
    const keys = { accessKeyId: S3_ID, secretAccessKey: S3_SECRET, sessionToken: 'a session/token==' };
    const client = new S3Client({ region: 'eu-central-1', credentials: keys });
    const now = new Date('2026-03-01T10:20:30Z');
    const body = 'a;b\n';
    const headers = { 'content-type': 'text/csv', 'x-amz-meta-a': ' two   blanks ', 'user-agent': 'Backroom', 'x-request-id': 'r1' };
    const urls = [
      [`${bucket}/a:b/(c)'*!@$&+,;=/%C3%A4%20~.csv`, `${bucket}/a%3Ab/%28c%29%27%2A%21%40%24%26%2B%2C%3B%3D/%C3%A4%20~.csv`],
      [`${bucket}/x?b=1&a=2&b=0&c&d=e+f&g=%2F`, `${bucket}/x?b=1&a=2&b=0&c=&d=e%20f&g=%2F`],
    ] as const;
    for (const [url, sent] of urls) {
      const own = signed({ name: '', method: 'PUT', url, headers, body, signature: '' }, keys, {
        region: 'eu-central-1',
        service: 's3',
        now,
      });
      assert.equal(own.url, sent);
      const { hostname, pathname, searchParams } = new URL(sent);
      const query = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
      const signer = await client.config.signer({
        name: 'sigv4',
        signingName: 's3',
        signingRegion: 'eu-central-1',
        properties: {},
      });
      const { 'x-request-id': _, ...known } = headers;
      const request = { method: 'PUT', protocol: 'https:', hostname, path: pathname, query, headers: { ...known, host: hostname }, body };
      const theirs = await signer.sign(request, { signingDate: now });
      for (const name of ['authorization', 'x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'])
        assert.equal(own.headers[name], theirs.headers[name], name);
    }
  });
});
