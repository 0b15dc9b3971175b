/** Why a store cannot be copied, or not be used because its copy is not finished; the message says what to do. */
export class CopyRefusal extends Error {}
