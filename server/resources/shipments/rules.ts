const neededOfAddress = ['line1', 'city', 'country'] as const;

/** What a parcel cannot do without (decisions.md SH2). */
export function missingAddressFields(address: Record<(typeof neededOfAddress)[number], string>): string[] {
  return neededOfAddress.filter((field) => address[field].trim() === '');
}

/** A piece whose variant has no weight counts as the shop's default. */
export function weightOf(lines: readonly { quantity: number; weight_grams: number }[], defaultGrams: number): number {
  return lines.reduce((sum, { quantity, weight_grams: grams }) => sum + quantity * (grams > 0 ? grams : defaultGrams), 0);
}
