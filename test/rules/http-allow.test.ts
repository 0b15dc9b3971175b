import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalRule, checkUrl, isAllowed } from '../../contract/http-allow.ts';

test('an entry has one canonical form: methods in their order, host in lower case and ASCII, no default port', () => {
  for (const [given, expected] of [
    ['https://api.example.com/v1/*', 'GET,HEAD https://api.example.com/v1/*'],
    ['  https://api.example.com/v1/*  ', 'GET,HEAD https://api.example.com/v1/*'],
    ['post,get https://hooks.example.com/x', 'GET,POST https://hooks.example.com/x'],
    ['POST, GET,POST   https://hooks.example.com/x', 'GET,POST https://hooks.example.com/x'],
    ['delete https://a.example/', 'DELETE https://a.example/'],
    ['GET,HEAD,POST,PUT,PATCH,DELETE https://a.example/*', 'GET,HEAD,POST,PUT,PATCH,DELETE https://a.example/*'],
    ['HTTPS://API.Example.COM/V1/*', 'GET,HEAD https://api.example.com/V1/*'],
    ['https://api.example.com:443/*', 'GET,HEAD https://api.example.com/*'],
    ['http://api.example.com:80/*', 'GET,HEAD http://api.example.com/*'],
    ['https://api.example.com:8443/*', 'GET,HEAD https://api.example.com:8443/*'],
    ['https://bücher.example/*', 'GET,HEAD https://xn--bcher-kva.example/*'],
    ['https://BÜCHER.example/*', 'GET,HEAD https://xn--bcher-kva.example/*'],
    ['https://ｅｘａｍｐｌｅ.com/*', 'GET,HEAD https://example.com/*'],
    ['https://[2606:4700:0:0::1111]/*', 'GET,HEAD https://[2606:4700::1111]/*'],
    ['https://0x08.8.8.8/*', 'GET,HEAD https://8.8.8.8/*'],
    ['https://a.example/caf%c3%a9/*', 'GET,HEAD https://a.example/caf%C3%A9/*'],
    ['https://a.example/café/*', 'GET,HEAD https://a.example/caf%C3%A9/*'],
    ['https://a.example/%76%31/*', 'GET,HEAD https://a.example/v1/*'],
  ] as const) {
    assert.equal(canonicalRule(given).value, expected, given);
    assert.equal(canonicalRule(expected).value, expected, `${expected} stays as it is`);
  }
});

test('what is no entry is refused with what was wrong', () => {
  for (const [given, problem] of [
    ['', /must be an address such as/],
    ['*', /begins with https/],
    ['GET', /begins with https/],
    ['api.example.com/v1/*', /begins with https/],
    ['//api.example.com/*', /begins with https/],
    ['ftp://api.example.com/*', /begins with https/],
    ['https:api.example.com/*', /begins with https/],
    ['https:/api.example.com/*', /begins with https/],
    ['https:///api.example.com/*', /valid host/],
    ['https://*/', /asterisk is not accepted/],
    ['https://*.example.com/*', /asterisk is not accepted/],
    ['https://api.*/v1', /asterisk is not accepted/],
    ['https://user@example.com/*', /no user name/],
    ['https://user:secret@example.com/*', /no user name/],
    ['https://example.com@evil.example/*', /no user name/],
    ['https://exa%6Dple.com/*', /valid host/],
    ['https://exa mple.com/*', /must be an address such as|is not a method|no blanks/],
    ['https://example.com./*', /does not end with a dot/],
    ['https://example.com:0/*', /port from 1/],
    ['https://example.com:65536/*', /valid host/],
    ['https://example.com:x/*', /valid host/],
    ['https://1.2.3.4.5/*', /valid host/],
    ['https://api.example.com', /must have a path: "https:\/\/api\.example\.com\/\*"/],
    ['https://api.example.com/v1*', /asterisk only at its end/],
    ['https://api.example.com/*/x', /asterisk only at its end/],
    ['https://api.example.com/*/*', /asterisk only at its end/],
    ['https://api.example.com/v1?x=1', /no query/],
    ['https://api.example.com/v1/*?x=1', /no query/],
    ['https://api.example.com/v1#x', /no fragment/],
    ['https://api.example.com/v1/../*', /no "." or ".."/],
    ['https://api.example.com/./v1', /no "." or ".."/],
    ['https://api.example.com/..;/v1', /no "." or ".."/],
    ['https://api.example.com/v1%2f*', /no escaped dot, slash/],
    ['https://api.example.com/v1%252fx', /no escaped dot, slash/],
    ['https://api.example.com/%2E%2E/x', /no escaped dot, slash/],
    ['https://api.example.com/v1%5cx', /no escaped dot, slash/],
    ['https://api.example.com/v1%0d%0ax', /control character/],
    ['https://api.example.com/v1\\x', /backslashes/],
    ['https://api.example.com/v1%zz', /hexadecimal/],
    ['https://api.example.com/%c0%ae%c0%ae/', /UTF-8/],
    ['https://api.example.com/v1\u0000', /control characters/],
    ['FETCH https://api.example.com/*', /"FETCH" is not a method; accepted are GET, HEAD, POST, PUT, PATCH, DELETE/],
    ['GET,,POST https://api.example.com/*', /"" is not a method/],
  ] as const) {
    const { value, problem: said } = canonicalRule(given);
    assert.equal(value, undefined, given);
    assert.match(said ?? '', problem, given);
  }
});

test('an entry without asterisk covers its path alone, with any query; one with it covers what begins with its path', () => {
  const exact = ['GET https://api.example.com/v1'];
  assert.equal(isAllowed(exact, 'GET', 'https://api.example.com/v1'), true);
  assert.equal(isAllowed(exact, 'GET', 'https://api.example.com/v1?page=2&next=https://evil.example/'), true);
  for (const url of ['/v1/', '/v1/x', '/v', '/', '', '/V1'])
    assert.equal(isAllowed(exact, 'GET', `https://api.example.com${url}`), false, url);

  const below = ['GET https://api.example.com/v1/*'];
  for (const url of ['/v1/', '/v1/x', '/v1/x/y?z', '/v1//x', '/v1/%78', '/v1/*'])
    assert.equal(isAllowed(below, 'GET', `https://api.example.com${url}`), true, url);
  for (const url of ['/v1', '/v10/x', '/v2/x', '/', '', '/V1/x'])
    assert.equal(isAllowed(below, 'GET', `https://api.example.com${url}`), false, url);

  const all = ['GET https://api.example.com/*'];
  for (const url of ['', '/', '/x']) assert.equal(isAllowed(all, 'GET', `https://api.example.com${url}`), true, url);
});

test('methods, scheme, host and port must be those of one entry', () => {
  const allow = ['https://api.example.com/v1/*', 'POST https://hooks.example.com:8443/x'];
  const at = (method: string, url: string): boolean => isAllowed(allow, method, url);
  assert.equal(at('GET', 'https://api.example.com/v1/x'), true);
  assert.equal(at('HEAD', 'https://api.example.com/v1/x'), true);
  assert.equal(at('POST', 'https://api.example.com/v1/x'), false);
  assert.equal(at('POST', 'https://hooks.example.com:8443/x'), true);
  assert.equal(at('GET', 'https://hooks.example.com:8443/x'), false, 'a list of methods names all of them');
  assert.equal(at('POST', 'https://hooks.example.com/x'), false);
  assert.equal(at('POST', 'https://hooks.example.com:443/x'), false);
  assert.equal(at('GET', 'https://api.example.com:443/v1/x'), true, 'the default port');
  assert.equal(at('GET', 'https://api.example.com:8443/v1/x'), false);
  assert.equal(at('GET', 'http://api.example.com/v1/x'), false);
  assert.equal(at('get', 'https://api.example.com/v1/x'), false, 'methods are compared in upper case');
  assert.equal(isAllowed([], 'GET', 'https://api.example.com/v1/x'), false);
});

test('spellings of another host or path are not taken for the ones of an entry', () => {
  const allow = ['https://api.example.com/v1/*', 'https://xn--bcher-kva.example/*', 'https://8.8.8.8/*'];
  for (const url of [
    'https://api.example.com@evil.example/v1/x',
    'https://user:password@api.example.com/v1/x',
    'https://api.example.com:443@evil.example/v1/x',
    'https://api.example.com\\@evil.example/v1/x',
    'https://api.example.com\\.evil.example/v1/x',
    'https://evil.example/https://api.example.com/v1/x',
    'https://evil.example?https://api.example.com/v1/x',
    'https://evil.example#https://api.example.com/v1/x',
    'https://api.example.com#@evil.example/v1/x',
    'https://api.example.com.evil.example/v1/x',
    'https://api.example.com./v1/x',
    'https://api.example.com%2eevil.example/v1/x',
    'https://api%2eexample.com/v1/x',
    'https://аpi.example.com/v1/x', // the first letter is Cyrillic
    'https://buecher.example/x',
    'https://api.example.com/v1/../v2/x',
    'https://api.example.com/v1/..',
    'https://api.example.com/v1/%2e%2e/v2/x',
    'https://api.example.com/v1/.%2E/v2/x',
    'https://api.example.com/v1/%252e%252e/v2/x',
    'https://api.example.com/v1/%2525252e%2525252e/v2/x',
    'https://api.example.com/v1/..%2fv2/x',
    'https://api.example.com/v1/..\\v2/x',
    'https://api.example.com/v1/..%5cv2/x',
    'https://api.example.com/v1/..;x=1/v2/x',
    'https://api.example.com/v1%2fx',
    'https://api.example.com/v1/\nx',
    'https://api.exa\tmple.com/v1/x',
    ' https://api.example.com/v1/x',
    'https://api.example.com/v1/%',
    'https://api.example.com/v1/%c0%af..',
    'https://api.example.com/v1/%00',
    'https:api.example.com/v1/x',
    'https:///api.example.com/v1/x',
    '//api.example.com/v1/x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '',
  ])
    assert.equal(isAllowed(allow, 'GET', url), false, url);
});

test('spellings of the same host and path are', () => {
  const allow = ['https://api.example.com/v1/*', 'https://bücher.example/*', 'https://8.8.8.8/*'];
  for (const url of [
    'HTTPS://API.EXAMPLE.COM/v1/x',
    'https://api.example.com:0443/v1/x',
    'https://ａｐｉ.example.com/v1/x',
    'https://api.example.com/%76%31/x',
    'https://bücher.example/x',
    'https://BÜCHER.example/x',
    'https://xn--bcher-kva.example/x',
    'https://0x8.0x8.0x8.0x8/x',
    'https://134744072/x',
  ])
    assert.equal(isAllowed(allow, 'GET', url), true, url);
});

test('what is compared is what is sent', () => {
  assert.deepEqual(checkUrl('HTTPS://Bücher.example:443/a%7eb/%c3%a9/ü?q=ü&x=%2f').value, {
    origin: 'https://xn--bcher-kva.example',
    hostname: 'xn--bcher-kva.example',
    path: '/a~b/%C3%A9/%C3%BC',
    query: '?q=%C3%BC&x=%2f',
  });
});
