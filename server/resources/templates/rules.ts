/** The path of a page's template, the same in every theme (spec P6). */
export function pagePath(slug: string): string {
  return `templates/page.${slug}`;
}

/** The slug of the page to which a template path belongs; null if it belongs to no page. */
export function slugIn(path: string): string | null {
  return /^templates\/page\.(.+)$/.exec(path)?.[1] ?? null;
}

/** The template of a page until somebody writes one; its empty paragraph is where the text begins. */
export const DEFAULT_TEMPLATE = `<!doctype html>
<html lang="{{ locale }}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{{ page.meta_title | default: page.title | escape }}</title>
  {%- if page.meta_description != '' %}
  <meta name="description" content="{{ page.meta_description | escape }}">
  {%- endif %}
  {%- if page.og_image_url %}
  <meta property="og:image" content="{{ page.og_image_url | escape }}">
  {%- endif %}
</head>
<body>
  <main>
    <h1>{{ page.title | escape }}</h1>
    <p></p>
  </main>
</body>
</html>
`;
