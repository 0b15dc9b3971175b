import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { PathLink } from '../../ui/path-link.tsx';
import { type Block, type Cell, parseMarkdown } from './blocks.ts';
import type { Inline } from './inline.ts';
import './markdown.css';

/**
 * Markdown that a script wrote. It becomes elements, never HTML as text: nothing of it can be a script, a picture or a style, and its links
 * lead to web addresses or pages of the console. Its headings stand below one of level 2.
 */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="markdown" dir="auto">
      {blocks.map(blockOf)}
    </div>
  );
}

/** What stands where does not move between two texts in a way that React could tell, so the place is the key. */
function blockOf(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case 'heading':
      return createElement(`h${Math.min(6, block.level + 2)}`, { key }, ...block.of.map(inlineOf));
    case 'paragraph':
      return <p key={key}>{block.of.map(inlineOf)}</p>;
    case 'code':
      return (
        <pre key={key} className="wrap">
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr key={key} />;
    case 'quote':
      return <blockquote key={key}>{block.of.map(blockOf)}</blockquote>;
    case 'rest':
      return (
        <pre key={key} className="wrap">
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells items apart
        <li key={n}>{item.map((one, at) => (block.isTight && one.kind === 'paragraph' ? wordsOf(one.of, at) : blockOf(one, at)))}</li>
      ));
      return block.start === null ? (
        <ul key={key}>{items}</ul>
      ) : (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      );
    }
    case 'table':
      return (
        <div key={key} className="markdown-table">
          <table>
            <thead>
              <tr>{block.head.map((cell, n) => cellOf('th', cell, n))}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the place is all that tells rows apart
                <tr key={n}>{row.map((cell, at) => cellOf('td', cell, at))}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function cellOf(tag: 'th' | 'td', { align, of }: Cell, key: number): ReactNode {
  return createElement(tag, { key, className: align === 'start' ? undefined : `at-${align}` }, ...of.map(inlineOf));
}

function wordsOf(of: readonly Inline[], key: number): ReactNode {
  return <Fragment key={key}>{of.map(inlineOf)}</Fragment>;
}

function inlineOf(one: Inline, key: number): ReactNode {
  switch (one.kind) {
    case 'text':
      return one.text;
    case 'code':
      return <code key={key}>{one.text}</code>;
    case 'break':
      return <br key={key} />;
    case 'strong':
      return <strong key={key}>{one.of.map(inlineOf)}</strong>;
    case 'emphasis':
      return <em key={key}>{one.of.map(inlineOf)}</em>;
    case 'struck':
      return <s key={key}>{one.of.map(inlineOf)}</s>;
    case 'link':
      return one.href.startsWith('/') ? (
        <PathLink key={key} to={one.href}>
          {one.of.map(inlineOf)}
        </PathLink>
      ) : (
        <a key={key} href={one.href} target="_blank" rel="noopener noreferrer">
          {one.of.map(inlineOf)}
        </a>
      );
  }
}
