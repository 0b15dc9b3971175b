import type { ErrorItem, Problem } from '../../contract/errors.ts';
import { permissionText } from '../texts/permissions.ts';
import { refusalsText, refusalTitle } from '../texts/refusals.ts';

const t = refusalsText;

/** Their detail names what the title cannot: what is in the way, what another system said, where a text is wrong. */
const tellsMore: ReadonlySet<string> = new Set([
  ...['in_use', 'too_many', 'not_applicable', 'resume_mismatch', 'run_not_opened', 'stock_stale', 'list_mismatch'],
  ...['template_invalid', 'llm_refused', 'llm_answer_invalid', 'http_failed', 'http_not_allowed', 'provider_error', 'courier_unavailable'],
  ...['label_letters_missing', 'not_shippable', 'storage_cap_exceeded', 'journal_expired', 'unsupported_media_type'],
  ...['malformed_json', 'malformed_form', 'malformed_header', 'mail_not_configured', 'secret_unreadable'],
]);

/** What is wrong with such a value has no code of its own. */
const isVague: ReadonlySet<string> = new Set([
  ...['invalid_value', 'invalid_type', 'invalid_enum', 'unknown_field', 'unknown_parameter', 'list_mismatch', 'slug_invalid'],
  ...['permission_not_grantable', 'unknown_permission', 'voucher_invalid', 'file_required', 'template_invalid'],
]);

/** A refusal in the words of the page's language; what the console does not know stays as the server says it. */
export function inWords(problem: Problem): Problem {
  const title = refusalTitle(problem.code);
  if (title === undefined) return problem;
  const { errors } = problem;
  if (errors === undefined || errors.length === 0) return { ...problem, title, detail: detailOf(problem) };
  const told = errors.map((error) => ({ ...error, detail: valueWords(error) }));
  return { ...problem, title, detail: [...new Set(told.map(({ detail }) => detail))].join(' '), errors: told };
}

function detailOf(problem: Problem): string {
  if (problem.code === 'rate_limited') {
    const seconds = problem['retry_after'];
    return typeof seconds === 'number' ? t.again(seconds) : '';
  }
  const permissions = problem['permissions'];
  if (Array.isArray(permissions) && permissions.length > 0) {
    return t.missing(permissions.map((one) => permissionText(String(one))).join(', '));
  }
  return tellsMore.has(problem.code) ? problem.detail : '';
}

/** What is wrong with one value. */
function valueWords({ code, detail, reason, min, max, unit }: ErrorItem): string {
  const reasons: Readonly<Record<string, string>> = t.vouchers;
  if (reason !== undefined && Object.hasOwn(reasons, reason)) return reasons[reason] ?? detail;
  if (code === 'required' || code === 'blank') return t.needed;
  if (code === 'duplicate') return t.exists;
  if (max !== undefined) return unit === undefined ? t.most(max) : t.longest[unit](max);
  if (min !== undefined) return unit === undefined ? t.least(min) : t.fewest(min);
  const title = refusalTitle(code);
  if (title === undefined) return detail;
  return isVague.has(code) ? t.told(title, detail) : `${title}.`;
}
