/** What a write would change: the wanted fields whose value is another, with both values. Compared as JSON. */
export function changesBetween(before: object, wanted: object): Record<string, [before: unknown, after: unknown]> {
  const known = new Map<string, unknown>(Object.entries(before));
  const differing = Object.entries(wanted).filter(
    ([field, value]) => value !== undefined && JSON.stringify(known.get(field)) !== JSON.stringify(value),
  );
  return Object.fromEntries(differing.map(([field, value]) => [field, [known.get(field), value]]));
}

/** The fields of a PATCH that were sent. */
export function given<T extends object>(patch: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const sent: { [Key in keyof T]?: Exclude<T[Key], undefined> } = {};
  for (const key in patch) {
    const value = patch[key];
    if (isGiven(value)) sent[key] = value;
  }
  return sent;
}

function isGiven<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}
