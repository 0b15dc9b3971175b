/**
 * Sets this process's clock back, so that a store which a release has left long ago is as old as when it was written: nothing of it has
 * expired, as in a shop that is stopped, upgraded and started. Returns what sets the clock right again.
 */
export function setClockBack(to: Date): () => void {
  const Real = globalThis.Date;
  const behindMs = Real.now() - to.getTime();
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [Real.now() - behindMs] : args, self),
    apply: () => new globalThis.Date().toString(),
    get: (target, name, self) => (name === 'now' ? () => Real.now() - behindMs : Reflect.get(target, name, self)),
  });
  return () => {
    globalThis.Date = Real;
  };
}
