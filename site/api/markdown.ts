/** Markdown for VitePress, whose pages are also templates of Vue: `{{` and tags outside of code would be read by it. */

/** Plain words; what stands between backticks stays code. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      /^`[^`]+`$/.test(part) ? inlineCode(part.slice(1, -1)) : escaped(part).replaceAll(/(?<!\\)([*_])(?=\S)/g, String.raw`\$1`),
    )
    .join('');
}

/** A template of Vue reads `{{` in inline code too, so such code is written as HTML. */
export function inlineCode(text: string): string {
  const flat = text.replaceAll('\n', ' ');
  if (/\{\{|\}\}|`/.test(flat)) return `<code v-pre>${escaped(flat)}</code>`;
  return `\`${flat}\``;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;')
    .replaceAll('[', String.raw`\[`);
}

/** A table; cells are Markdown. Empty without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A block of code; its fence is longer than any in the text. */
export function code(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}`;
}

export function paragraphs(parts: readonly (string | null | false)[]): string {
  return `${parts.filter((part) => typeof part === 'string' && part !== '').join('\n\n')}\n`;
}
