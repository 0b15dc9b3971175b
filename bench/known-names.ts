/** Ends the process where one of the names that were asked for is not known, and says which are. `kind`: what the names are of. */
export function refuseUnknown(kind: string, asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  process.stderr.write(`There is no ${kind} ${unknown.join(', ')}; the ${kind}s are ${known.join(', ')}.\n`);
  process.exit(2);
}
