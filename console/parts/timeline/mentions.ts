/** An admin as the list of names has them. */
export type Named = { id: number; name: string };

/** A text is typed with names, `@Ann Black`, and stored with ids, `<@3>`, so that a new name of an admin shows. */
export function withIds(text: string, admins: readonly Named[]): string {
  // A longer name first: "Ann Black" is not "Ann" and a word.
  const longestFirst = admins.filter(({ name }) => name !== '').toSorted((a, b) => b.name.length - a.name.length);
  return longestFirst.reduce((typed, { id, name }) => typed.replaceAll(`@${name}`, `<@${id}>`), text);
}

export function withNames(text: string, admins: readonly Named[], unknown: string): string {
  return partsOf(text)
    .map((part) => (typeof part === 'string' ? part : `@${nameOf(part, admins, unknown)}`))
    .join('');
}

/** A stored text as texts and ids of admins, in turn. */
export function partsOf(text: string): (string | number)[] {
  return text.split(/<@(\d{1,15})>/).map((part, at) => (at % 2 === 1 ? Number(part) : part));
}

export function nameOf(id: number, admins: readonly Named[], unknown: string): string {
  return admins.find((admin) => admin.id === id)?.name ?? unknown;
}

/** What is typed after the `@` before the caret, a word or two of a name; null: no name is typed there. */
export function typedName(text: string, caret: number): { from: number; typed: string } | null {
  const found = /(?:^|[\s(])@([^\s@<>]*(?: [^\s@<>]*)?)$/.exec(text.slice(0, caret));
  if (!found) return null;
  const typed = found[1] ?? '';
  return { from: caret - typed.length - 1, typed };
}
