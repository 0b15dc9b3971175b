/** A cell: a text that somebody wrote, or a value of our own. null: empty. */
export type Cell = string | number | boolean | null;

/** So that programs for tables read the file as UTF-8. */
export const CSV_MARK = '\uFEFF';

/** A line of a table as CSV (RFC 4180). */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoted(typeof cell === 'string' ? asText(cell) : String(cell ?? ''))).join(',')}\r\n`;
}

/**
 * Programs for tables take a text that begins so for a formula and carry it out; behind an apostrophe it is a text. Where a country writes
 * decimals with a comma, they begin a cell behind each semicolon, too, and care for quotes at the beginning of a cell alone.
 */
const FORMULA = /(^|[;\t\r\n]["']*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

function asText(text: string): string {
  return text.replaceAll(FORMULA, "$1'");
}

function quoted(text: string): string {
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An amount in the currency's main unit, for programs: `1234.50`. It is a value of our own, and may be negative. */
export function decimal(minor: number, exponent: number): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${minor < 0 ? '-' : ''}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}`;
}
