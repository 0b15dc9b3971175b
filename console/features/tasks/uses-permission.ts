import facts from 'virtual:task-facts';

/** The calls in a source that need a permission, by their names in the text: `orders.update_status`. */
export function callsNeeding(permission: string, source: string): string[] {
  const found = new Set<string>();
  for (const [, resource = '', name = ''] of source.matchAll(/\badmin\s*\.\s*(\w+)\s*\.\s*(\w+)/g)) {
    const needed = facts.needs[`${resource}.${name === 'each' ? 'list' : name}`];
    // Write implies read.
    if (needed === permission || needed?.replace(/read$/, 'write') === permission) found.add(`${resource}.${name}`);
  }
  return [...found];
}

const others: Record<string, RegExp> = {
  file_upload: /\bfiles\s*\.\s*(read|text)\b/,
  file_download: /\bfiles\s*\.\s*write\b/,
  prompt_input: /\bprompt\s*\(/,
  llm: /\bllm\s*\.\s*complete\b/,
  mail_send: /\bmail\s*\(/,
  http_request: /\bhttp\s*\.\s*request\b/,
  tasks_start: /\btasks\s*\.\s*(start|run)\b/,
};

/** Whether the source seems to need the permission; a call by path cannot be seen. */
export function usesPermission(permission: string, source: string): boolean {
  return others[permission]?.test(source) ?? callsNeeding(permission, source).length > 0;
}
