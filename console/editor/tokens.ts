import { type Tag, tags } from '@lezer/highlight';

/** The kinds of tokens that have a look of their own, in the editor and where a source is only shown. Each look is readable on every ground. */
export const tokens: readonly { tag: Tag | readonly Tag[]; class: string }[] = [
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], class: 'token-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'token-text' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'token-value' },
  { tag: [tags.typeName, tags.className, tags.namespace], class: 'token-type' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 'token-call' },
  { tag: tags.comment, class: 'token-comment' },
];
