import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceName } from '../../console/app/device.ts';

test('a browser is called as people call it', () => {
  const of = (rest: string) => deviceName(`Mozilla/5.0 ${rest}`);
  assert.deepEqual(
    [
      of('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'),
      of('(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'),
      of('(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'),
      of('(X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'),
      of('(iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1'),
      of('(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'),
      deviceName('curl/8.5'),
    ],
    ['Chrome, Windows', 'Edge, Windows', 'Safari, Mac', 'Firefox, Linux', 'Chrome, iPhone', 'Chrome, Android', ''],
  );
});
