import type { Node } from 'acorn';

/**
 * Visits all nodes; below one for which `visit` gives false, none. Walks without recursion, because a chain of a thousand additions is a
 * tree a thousand levels deep.
 */
export function walk(root: Node, visit: (node: Node) => boolean | undefined): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (isNode(value) && visit(value) !== false) {
      for (const [key, part] of Object.entries(value)) if (key !== 'loc' && typeof part === 'object') waiting.push(part);
    }
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
