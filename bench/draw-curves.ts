/** A curve of a chart: its points in the order of their sizes. `isBaseline`: drawn dashed, without marks. */
export type Line = { name: string; points: readonly Point[]; isBaseline?: boolean };
export type Point = { size: number; value: number };

/** `method`: how it was measured, below the chart. */
export type Chart = { title: string; x: string; y: string; method: string; lines: readonly Line[] };

const WIDTH = 760;
const HEIGHT = 440;
const PLOT = { left: 64, top: 66, right: 540, bottom: 356 };
const LABEL_GAP = 16;
/** Colours that differ in lightness too, chosen for a contrast of at least 3 to 1 with their background. */
const LIGHT = ['#0b5cad', '#b3410b', '#1a7f37', '#8250df', '#bf1d6a', '#6b5900', '#0f7b83'];
const DARK = ['#6cb6ff', '#ff9e5e', '#5fd37c', '#c8a6ff', '#ff8fc0', '#e0c84a', '#5fd4dc'];

/** Draws the lines on logarithmic axes as an SVG that follows the reader's light or dark theme and says all its values as text. */
export function drawChart({ title, x, y, method, lines }: Chart): string {
  const points = lines.flatMap((line) => line.points);
  const across = axis(
    points.map(({ size }) => size),
    PLOT.left,
    PLOT.right,
  );
  const up = axis(
    points.map(({ value }) => value),
    PLOT.bottom,
    PLOT.top,
  );
  const place = ({ size, value }: Point): string => `${across.place(size)},${up.place(value)}`;
  const labels = spread(lines.map((line) => up.place(line.points.at(-1)?.value ?? Number.NaN)));
  const drawn = lines.map((line, n) => {
    const kind = line.isBaseline ? 'bare' : `c${n % LIGHT.length}`;
    const marks = line.isBaseline ? '' : line.points.map(mark(n, place)).join('');
    const last = line.points.at(-1);
    const [endX, endY] = last ? [across.place(last.size), up.place(last.value)] : [0, 0];
    return `<g class="${kind}"><polyline points="${line.points.map(place).join(' ')}"/>${marks}
<path class="to" d="M${endX + 6} ${endY}L${PLOT.right + 14} ${labels[n]}"/>
<text x="${PLOT.right + 18}" y="${(labels[n] ?? 0) + 4}">${escaped(line.name)}</text></g>`;
  });
  const columns = across.ticks.map(
    (tick) => `<path class="grid" d="M${across.place(tick)} ${PLOT.top}V${PLOT.bottom}"/>
<text class="tick" x="${across.place(tick)}" y="${PLOT.bottom + 18}" text-anchor="middle">${numberText(tick)}</text>`,
  );
  const rows = up.ticks.map(
    (tick) => `<path class="grid" d="M${PLOT.left} ${up.place(tick)}H${PLOT.right}"/>
<text class="tick" x="${PLOT.left - 8}" y="${up.place(tick) + 4}" text-anchor="end">${numberText(tick)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(`${y}, by ${x}. ${lines.map(inWords).join('; ')}. ${method}`)}</desc>
<style>
${themeOf(LIGHT, { back: '#ffffff', text: '#1f2328', faint: '#59636e', grid: '#d8dee4' })}
@media (prefers-color-scheme: dark) {
${themeOf(DARK, { back: '#0d1117', text: '#e6edf3', faint: '#9198a1', grid: '#30363d' })}
}
text { font: 13px system-ui, sans-serif; }
.title { font-size: 15px; font-weight: 600; }
.tick, .note { font-size: 12px; }
polyline, .to, .grid { fill: none; }
polyline { stroke-width: 2; stroke-linejoin: round; }
.to { opacity: 0.5; }
.bare polyline { stroke-dasharray: 5 4; stroke-width: 1.5; }
</style>
<rect class="back" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="16" y="24">${escaped(title)}</text>
${[...columns, ...rows].join('\n')}
<text class="tick" x="${PLOT.right}" y="${PLOT.bottom + 36}" text-anchor="end">${escaped(x)}</text>
<text class="tick" x="16" y="${PLOT.top - 20}">${escaped(y)}</text>
${drawn.join('\n')}
${wrapped(method)
  .map((text, n) => `<text class="note" x="16" y="${HEIGHT - 30 + n * 16}">${escaped(text)}</text>`)
  .join('\n')}
</svg>
`;
}

type Theme = { back: string; text: string; faint: string; grid: string };

function themeOf(colours: readonly string[], { back, text, faint, grid }: Theme): string {
  const lines = colours.map((colour, n) => `.c${n} { stroke: ${colour}; fill: ${colour}; }`);
  return [
    `.back { fill: ${back}; } text { fill: ${text}; stroke: none; } .tick, .note { fill: ${faint}; } .grid { stroke: ${grid}; }`,
    ...lines,
    `.bare { stroke: ${faint}; fill: ${faint}; }`,
    `g text { fill: inherit; }`,
  ].join('\n');
}

/** Whole powers of ten around the values; all of them get a tick. */
function axis(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n)),
    place: (value: number): number => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10,
  };
}

/** Moves labels apart that would cover one another, and none out of the picture. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, n) => n).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = [...wanted];
  let from = PLOT.top;
  for (const n of order) {
    places[n] = Math.max(places[n] ?? 0, from);
    from = places[n] + LABEL_GAP;
  }
  let to = PLOT.bottom;
  for (const n of order.toReversed()) {
    places[n] = Math.min(places[n] ?? 0, to);
    to = places[n] - LABEL_GAP;
  }
  return places;
}

/** Each line has a mark of its own shape, so that colour alone does not tell lines apart. */
function mark(line: number, place: (point: Point) => string) {
  return (point: Point): string => {
    const [x = 0, y = 0] = place(point).split(',').map(Number);
    const shapes = [
      `M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`,
      `M${x - 4} ${y - 4}h8v8h-8Z`,
      `M${x} ${y - 5}l5 9h-10Z`,
      `M${x} ${y - 5}l5 5l-5 5l-5 -5Z`,
      `M${x} ${y + 5}l5 -9h-10Z`,
    ];
    return `<path d="${shapes[line % shapes.length]}"/>`;
  };
}

function inWords({ name, points }: Line): string {
  return `${name}: ${points.map(({ size, value }) => `${numberText(size)} → ${numberText(value)}`).join(', ')}`;
}

function numberText(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > 118) lines.push(word);
    else lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
