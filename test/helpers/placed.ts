import type { Json } from '../../contract/run-events.ts';

/** What the sandbox sends of a text: a place wherever this text has `{{secret:name}}`. */
export function placed(text: string): Json {
  const pieces = text.split(/(\{\{secret:[a-z0-9_]+\}\})/).filter((piece) => piece !== '');
  return pieces.map((piece) => {
    const [, secret] = /^\{\{secret:(.*)\}\}$/.exec(piece) ?? [];
    return secret === undefined ? piece : { secret };
  });
}
