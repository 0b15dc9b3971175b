const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * What is wrong with a script's path, or null. It is relative to /admin/api and must stay below it whoever
 * normalises it: what the URL parser would change in any way is refused.
 */
export function pathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'the path must start with "/"';
  if (!PRINTABLE_ASCII.test(path)) return 'the path must be printable ASCII: use encodeURIComponent for values';
  if (path.includes('#') || path.includes('\\')) return 'the path must not contain "#" or "\\"';
  const [pathname = ''] = path.split('?', 1);
  if (pathname.includes('//')) return 'the path must not contain "//"';
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(pathname) || /%2f|%5c|%00/i.test(pathname)) return 'the path must not leave /admin/api';
  if (!URL.canParse(`http://shop/admin/api${path}`)) return 'the path is not a valid URL path';
  return new URL(`http://shop/admin/api${path}`).pathname === `/admin/api${pathname}` ? null : 'the path is not in normal form';
}
