/** The shipping cost of a method in minor units; `goods` is the subtotal after discounts (spec O27). */
export function shippingCost(method: { price_cents: number; free_over_cents: number | null }, goods: number): number {
  return method.free_over_cents !== null && goods >= method.free_over_cents ? 0 : method.price_cents;
}

export function servesCountry({ countries }: { countries: readonly string[] }, country: string): boolean {
  return countries.length === 0 || countries.includes(country);
}
