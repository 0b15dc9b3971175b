/** Loaded before the server: sets its clock to the present time of the shop, so that the last 90 days contain orders. */
const { SHOP_CLOCK } = process.env;
const behindMs = Date.now() - Date.parse(SHOP_CLOCK ?? '');
const Real = Date;

if (Number.isFinite(behindMs)) {
  globalThis.Date = new Proxy(Real, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [Real.now() - behindMs] : args),
    get: (target, name) => (name === 'now' ? () => Real.now() - behindMs : Reflect.get(target, name)),
  });
}
