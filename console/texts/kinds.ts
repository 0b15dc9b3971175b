/** `customer_note` of several is "customer notes". */
export function manyOf(kind: string, count: number): string {
  const words = kind.replaceAll('_', ' ');
  if (count === 1 || /(media|settings)$/.test(words)) return words;
  return words
    .replace(/(s|x|ch)$/, '$1e')
    .replace(/([^aeiou])y$/, '$1ie')
    .concat('s');
}
