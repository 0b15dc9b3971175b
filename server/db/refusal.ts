/** Why a store cannot be used by this program, or not be copied; the message says what to do. */
export class StoreRefusal extends Error {}
