import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Makes of what VitePress wrote what the content policy and the package allow; returns the bytes of all files. */
export function finish(folder: string): number {
  const files = globSync('**/*.html', { cwd: folder });
  const styles = new Map<string, string>();
  const pages = files.map((file) => [file, withoutInline(readFileSync(join(folder, file), 'utf8'), folder, styles)] as const);
  const sheet = [...styles].map(([style, name]) => `html:not(.ready) .${name}{${style}}`).join('\n');
  const link = sheet === '' ? '' : `<link rel="stylesheet" href="/docs/${writeAsset(folder, 'css', sheet)}">`;
  for (const [file, html] of pages) writeFileSync(join(folder, file), html.replace('</head>', `${link}</head>`));
  rmSync(join(folder, 'hashmap.json'), { force: true });
  rmSync(join(folder, 'navigation.json'), { force: true });
  return pack(folder);
}

/** Inline scripts become files; styles of attributes become classes that hold until the page is alive, which then sets them by itself. */
function withoutInline(html: string, folder: string, styles: Map<string, string>): string {
  return html
    .replaceAll(/<script([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes: string, code: string) => {
      if (/\ssrc=/.test(attributes)) return whole;
      return `<script${attributes} src="/docs/${writeAsset(folder, 'js', code)}"></script>`;
    })
    .replaceAll(/<(\w[^<>]*?)\sstyle="([^"]*)"([^<>]*)>/g, (_, before: string, style: string, after: string) => {
      const name = styles.get(style) ?? `early-${styles.size + 1}`;
      styles.set(style, name);
      const rest = `${before}${after}`;
      return /\sclass="/.test(rest) ? `<${rest.replace(/\sclass="/, `$&${name} `)}>` : `<${rest} class="${name}">`;
    });
}

function writeAsset(folder: string, ending: string, content: string): string {
  const path = `assets/inline.${createHash('sha256').update(content).digest('base64url').slice(0, 8)}.${ending}`;
  writeFileSync(join(folder, path), content);
  return path;
}

/**
 * Packs each text in place: the server unpacks it for the few clients that do not accept gzip. A copy of each as it is, and one for each
 * way of packing, would be four times as large.
 */
function pack(folder: string): number {
  let bytes = 0;
  for (const entry of globSync('**', { cwd: folder, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    if (/\.(html|js|css|md|txt|svg|json)$/.test(file)) {
      const packed = gzipSync(readFileSync(file), { level: 9 });
      writeFileSync(`${file}.gz`, packed);
      rmSync(file);
      bytes += packed.length;
    } else bytes += statSync(file).size;
  }
  return bytes;
}
