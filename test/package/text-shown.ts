/** Whether a command printed what a document shows. `…` stands for anything in its line; alone in a line, for any lines. */
export function isShown(shown: string, printed: string): boolean {
  const lines = shown.trimEnd().split('\n');
  const pattern = lines.map((line) =>
    line.trim() === '…' ? '(?:.*\n)*?' : `${line.trimEnd().split('…').map(escaped).join('.*')}[ \\t]*\n`,
  );
  return new RegExp(`^${pattern.join('')}$`).test(`${withoutColours(printed).trimEnd()}\n`);
}

export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal reads as a colour begins with one
  return text.replaceAll(/\x1b\[[\d;]*m/g, '');
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
