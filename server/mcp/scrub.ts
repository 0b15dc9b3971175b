const ADDRESS = /[\p{L}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu;
/** In a script, a quote is where a text begins. */
export const ADDRESS_IN_SOURCE = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu;
const OF_NOBODY = /\.(invalid|example|test)$/;

/** Whether an address cannot be anybody's. */
export const isOfNobody = (address: string): boolean => OF_NOBODY.test(address);

/** Replaces e-mail addresses in all texts, except those that cannot be anybody's. */
export function withoutAddresses(value: unknown): unknown {
  return inTexts(value, (text) => text.replaceAll(ADDRESS, (address) => (isOfNobody(address) ? address : 'hidden@example.invalid')));
}

/** Replaces all texts in a value; the names of fields are texts, too. */
export function inTexts(value: unknown, replaced: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes('@') ? replaced(value) : value;
  if (Array.isArray(value)) return value.map((one) => inTexts(one, replaced));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name.includes('@') ? replaced(name) : name, inTexts(inner, replaced)]);
  return Object.fromEntries(entries);
}
