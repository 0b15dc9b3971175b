/** What stands beside the source; the address names it. */
export const besides = ['plan', 'permissions', 'parameters', 'reference', 'examples'] as const;
export type Beside = (typeof besides)[number];

export function besideOf(raw: unknown): Beside | undefined {
  return besides.find((one) => one === raw);
}
