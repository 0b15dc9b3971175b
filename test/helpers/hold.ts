import type { FaultProxy, Passing } from './fault-proxy.ts';
import { until } from './machines.ts';

export type Hold = {
  /** Resolves when `held` requests are held. */
  reached: Promise<void>;
  /** Resolves when `count` calls of scripts, other than the held ones, have passed. */
  othersAnswered(count: number): Promise<unknown>;
  /** Lets all requests pass, including those that are held. */
  release(): void;
};

/** Holds the requests for which `matches` is true. The first `answersLost` of them take effect, but their answers are cut. */
export function holdAt(proxy: FaultProxy, matches: (passing: Passing) => boolean, { answersLost = 0, held = 1 } = {}): Hold {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let seen = 0;
  let others = 0;
  proxy.decide(async (passing) => {
    if (!matches(passing)) {
      if (passing.method === 'POST' && passing.path.startsWith('/admin/api/customers/')) others += 1;
      return 'pass';
    }
    seen += 1;
    if (seen <= answersLost) return 'cut_after';
    if (seen >= answersLost + held) reached.resolve();
    await released.promise;
    return 'pass';
  });
  return {
    reached: reached.promise,
    othersAnswered: (count) => until(`${count} other calls came`, () => others >= count),
    release() {
      proxy.decide(() => 'pass');
      released.resolve();
    },
  };
}
