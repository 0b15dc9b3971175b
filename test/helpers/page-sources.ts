import fc from 'fast-check';

/** Sources of pages as people and programs write them: well-formed or nearly so, with Liquid in every place where it can stand. */

const liquid = fc.constantFrom(
  '{{ page.title | escape }}',
  '{{ x | default: "}}" }}',
  "{{- 'it''s' -}}",
  '{% if page %}',
  '{%- else -%}',
  '{% endif %}',
  '{% for p in list %}',
  '{% endfor %}',
  '{% raw %}{{ no <b> }}{% endraw %}',
  '{% comment %}<p>{{ a }}{% endcomment %}',
  '{% # a note %}',
  '{%}',
  '{{}}',
);
const words = fc.constantFrom(
  ...[
    'word',
    'Größe',
    'a & b',
    'AT&T',
    '&amp;',
    '&nbsp;',
    '&hearts;',
    '&copy',
    '&copy2',
    '&#8203;',
    '&#x41;',
    '&#0;',
    '&lt;b&gt;',
    '1 < 2',
  ],
  ...[' ', '  ', '\n', '\r\n\t', '{', '}', '{ {', '%}', '\u00a0', '🙂', '"', "'", 'a  b', '&', '&#', '>'],
);
const attributes = fc
  .array(
    fc.constantFrom(
      ...[' class="lead"', " id='x'", ' data-a=b', ' hidden', ' style="color:red"', ' class="{{ c }}"', ' {% if a %}class="b"{% endif %}'],
      ...[
        ' title="a > b"',
        ' title="{{ "x" }}"',
        '\n  lang=de',
        ' CLASS=X',
        ' /',
        ' =odd',
        ' "odd"',
        ' href="/a?b=1&amp;c=2"',
        " onclick='x()'",
      ],
    ),
    { maxLength: 2 },
  )
  .map((list) => list.join(''));
const whole = fc.constantFrom(
  '<iframe src="https://example.com/{{ id }}"></iframe>',
  '<script>if (1 < 2) document.write("</p>");</script>',
  '<style>.a > b { color: red }</style>',
  '<!-- a <b> {{ "-->" }} -->',
  '<!---->',
  '<![if !supportLists]>',
  '<svg viewBox="0 0 1 1"><path d="M0"/></svg>',
  '<form action="/x"><input name=a><select><option>1<option>2</select></form>',
  '<video controls><source src=a></video>',
  '<textarea>\n<b></textarea>',
  '<x-card a="b"><p>in it</x-card>',
  '<dl><dt>a<dd>b</dl>',
  '<wbr>',
  '<input type="text">',
);

const element = (names: readonly string[], inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), attributes, inner).map(([name, more, text]) => `<${name}${more}>${text}</${name}>`);
const joined = (parts: fc.Arbitrary<string>, maxLength = 4): fc.Arbitrary<string> =>
  fc.array(parts, { maxLength }).map((list) => list.join(''));

const { block } = fc.letrec<{ line: string; block: string }>((tie) => ({
  line: fc.oneof(
    { depthSize: 'small' },
    words,
    words,
    liquid,
    whole,
    fc.constantFrom(
      '<br>',
      '<br/>',
      '<img src="/media/a.png" alt="A">',
      '<img src="{{ page.og_image_url }}">',
      '<i class="icon"></i>',
      '<a name="top"></a>',
    ),
    element(['b', 'strong', 'em', 'i', 'a', 'span', 'code', 'u', 'B', 'abbr', 'del', 'sup'], joined(tie('line'))),
    fc.tuple(attributes, joined(tie('line'))).map(([more, text]) => `<a href="/x"${more}>${text}</a>`),
  ),
  block: fc.oneof(
    { depthSize: 'small' },
    joined(tie('line')),
    element(['p', 'h1', 'h3', 'P', 'figcaption'], joined(tie('line'))),
    element(['div', 'section', 'blockquote', 'main', 'figure'], joined(tie('block'), 3)),
    element(['ul', 'ol'], joined(fc.oneof(element(['li'], joined(tie('block'), 2)), fc.constantFrom('\n  ', ' ')), 4)),
    element(
      ['table'],
      joined(
        fc.oneof(
          element(['tr'], joined(element(['td', 'th'], joined(tie('block'), 2)), 3)),
          element(['thead', 'tbody'], joined(element(['tr'], joined(element(['td', 'th'], joined(tie('line'))), 2)), 2)),
          fc.constantFrom('\n', '<caption>c</caption>', '{% for x in y %}'),
        ),
        3,
      ),
    ),
    element(['td'], fc.constant('x')).map((cell) => `<table><tr>${cell.replace('<td', '<td colspan=2')}</tr></table>`),
    element(['pre'], joined(words)),
    fc.constantFrom(
      '<hr>',
      '<hr class="wide">',
      '\n\n',
      '<p>open',
      '</div>',
      '<p><div>in p</div></p>',
      '<',
      '<3',
      '{{ open',
      '<{{ tag }}>',
    ),
  ),
}));

const body = joined(block, 5);

/** Any source, of which some are not well-formed. */
export const pageSource = fc.oneof(
  body,
  body.map(
    (text) =>
      `<!doctype html>\n<html lang="{{ locale }}">\n<head>\n  <title>{{ page.title }}</title>\n</head>\n<body class="a">\n${text}\n</body>\n</html>\n`,
  ),
  body.map((text) => `{% layout 'layouts/shop' %}\n{% block content %}\n${text}\n{% endblock %}\n`),
);
