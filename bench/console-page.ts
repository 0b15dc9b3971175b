import type { Page } from 'playwright-core';
import { z } from 'zod';

/** How often each figure is measured; the median counts. */
export const SAMPLES = 3;

/** A page of the server that loads nothing of the console: from here a navigation begins. */
export const BLANK = '/healthz';

/**
 * What the page itself measures, because the way to this process and back would be measured too. Times are in milliseconds since
 * the navigation began.
 */
const IN_PAGE = `globalThis.bench = (() => {
  let inputAt = 0;
  for (const type of ['keydown', 'click']) addEventListener(type, ({ timeStamp }) => (inputAt = timeStamp), { capture: true });
  let watched = 0;
  let shown;
  let frames = null;
  return {
    /** Looks before each frame is drawn whether the condition holds; \`shown\` then resolves when that frame is drawn. */
    watch(isThere) {
      const { promise, resolve } = Promise.withResolvers();
      const mine = (watched += 1);
      shown = promise;
      requestAnimationFrame(function look() {
        if (mine !== watched) return;
        if (!isThere()) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    },
    shown: () => shown,
    sinceInput: async () => (await shown) - inputAt,
    inputAt: () => inputAt,
    startFrames() {
      const times = (frames = []);
      (function next(time) {
        if (frames !== times) return;
        times.push(time);
        requestAnimationFrame(next);
      })(performance.now());
    },
    stopFrames() {
      const times = frames;
      frames = null;
      return times.slice(1).map((time, i) => time - times[i]);
    },
    requests: (since, part) =>
      performance
        .getEntriesByType('resource')
        .filter(({ initiatorType, startTime, name }) => initiatorType === 'fetch' && startTime >= since && name.includes(part))
        .map(({ name }) => name),
    answered: (part) =>
      new Promise((resolve) => {
        new PerformanceObserver((list, observer) => {
          if (!list.getEntries().some(({ name }) => name.includes(part))) return;
          observer.disconnect();
          resolve();
        }).observe({ type: 'resource', buffered: true });
      }),
    /** Asks again, all at once, for what the page has got from the API since a time. */
    async fetchAgain(since, part) {
      const headers = { authorization: 'Bearer ' + sessionStorage.getItem('backroom.token') };
      const asked = this.requests(since, part);
      if (asked.length === 0) throw new Error('the page has asked for nothing');
      const began = performance.now();
      await Promise.all(asked.map(async (url) => (await fetch(url, { headers, cache: 'no-store' })).text()));
      return performance.now() - began;
    },
  };
})();`;

/** Goes to an address and resolves with the time until the condition (JavaScript) holds and is drawn. */
export async function msToShow(page: Page, url: string, isThere: string): Promise<number> {
  await page.addInitScript({ content: `${IN_PAGE} bench.watch(() => ${isThere});` });
  await page.goto(url, { waitUntil: 'commit' });
  return numberOf(page, 'bench.shown()');
}

/** Acts with a key or a click, and resolves with the time from there until the condition (JavaScript) holds and is drawn. */
export async function msAfterInput(page: Page, isThere: string, act: () => Promise<void>): Promise<number> {
  if (await page.evaluate(`Boolean(${isThere})`)) throw new Error(`before the act this holds already: ${isThere}`);
  await page.evaluate(`bench.watch(() => ${isThere})`);
  await act();
  return numberOf(page, 'bench.sinceInput()');
}

/**
 * How long the bare requests take that the page has got answers to: since its navigation, or since the last key or click; of them
 * those whose address has this part.
 */
export function msOfRequests(page: Page, since: 'navigation' | 'input', part = '/admin/api/'): Promise<number> {
  return numberOf(page, `bench.fetchAgain(${since === 'input' ? 'bench.inputAt()' : 0}, ${JSON.stringify(part)})`);
}

/** Waits until the page has got an answer from an address that has this part. */
export async function answered(page: Page, part: string): Promise<void> {
  await page.evaluate(`bench.answered(${JSON.stringify(part)})`);
}

/** Gives a page that was not opened by `msToShow` the same functions. */
export async function prepare(page: Page): Promise<void> {
  await page.evaluate(IN_PAGE);
}

/** The times between the frames that are drawn while the work is done. */
export async function framesMs(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate('bench.startFrames()');
  await work();
  return z.array(z.number()).parse(await page.evaluate('bench.stopFrames()'));
}

export async function numberOf(page: Page, script: string): Promise<number> {
  return z.number().parse(await page.evaluate(script));
}
