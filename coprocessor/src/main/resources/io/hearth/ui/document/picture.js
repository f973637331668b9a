// The whole cluster: one cell a region, sized by its bytes, coloured by its heat or by how much of it is local.
const SHADES = 48;
const dark = matchMedia('(prefers-color-scheme: dark)');
const HEAT = { light: ['#e9edf0', '#fbe3b0', '#f8b25c', '#e4662e', '#8f1616'], dark: ['#262c32', '#51391f', '#a4521d', '#ee8a2b', '#ffe9a3'] };
const REMOTE = { light: ['#5b2383', '#9a58b5', '#d9a3d3', '#f0dce6'], dark: ['#e0a8ff', '#b56fd6', '#7a4692', '#4d3357'] };
const OTHER = { light: { local: '#bfe0cb', unknown: '#c3cad1', gap: '#ffffff', ink: '#212529' }, dark: { local: '#1f4d38', unknown: '#454e57', gap: '#14171a', ink: '#e4e7ea' } };
let cells = null, map = null, colourBy = 'heat', sizeBy = 'size', tableShown = '', asked = 0, pickedCell = null;

function mix(stops, part) {
  const place = part * (stops.length - 1), low = Math.min(stops.length - 2, Math.floor(place)), rest = place - low;
  const of = (stop, shift) => parseInt(stops[stop].slice(1), 16) >> shift & 255;
  return '#' + [16, 8, 0].map(shift => Math.round(of(low, shift) * (1 - rest) + of(low + 1, shift) * rest).toString(16).padStart(2, '0')).join('');
}
const ramp = stops => Array.from({ length: SHADES }, (_, shade) => mix(stops, shade / (SHADES - 1)));
const mode = () => dark.matches ? 'dark' : 'light';

/** The colour of each cell as an index into a palette; heat on a logarithmic scale up to the hottest. */
function shades() {
  const n = cells.table.length, shade = new Uint8Array(n);
  let most = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, cells.requests[i]);
  const low = most / 1000;
  for (let i = 0; i < n; i++) {
    if (tableShown !== '' && cells.table[i] !== Number(tableShown)) shade[i] = SHADES + 2;
    else if (colourBy === 'heat') shade[i] = cells.requests[i] < 0 ? SHADES : cells.requests[i] <= low || most === 0 ? 0 : Math.round(Math.log(cells.requests[i] / low) / Math.log(most / low) * (SHADES - 1));
    else shade[i] = cells.local[i] < 0 ? SHADES : cells.local[i] >= 100 ? SHADES + 1 : Math.round(cells.local[i] / 100 * (SHADES - 1));
  }
  return { shade, most };
}

function drawPicture() {
  if (!cells) return;
  const began = performance.now();
  const canvas = at('canvas'), box = canvas.getBoundingClientRect(), density = Math.min(2, devicePixelRatio || 1);
  canvas.width = Math.round(box.width * density); canvas.height = Math.round(box.height * density);
  const pen = canvas.getContext('2d', { alpha: false });
  pen.scale(density, density);
  const colours = OTHER[mode()];
  pen.fillStyle = colours.gap;
  pen.fillRect(0, 0, box.width, box.height);
  map = layOut(cells, box.width, box.height, sizeBy === 'size');
  const { shade, most } = shades();
  const palette = [...ramp((colourBy === 'heat' ? HEAT : REMOTE)[mode()]), colours.unknown, colours.local, colours.gap];
  paint(pen, shade, palette);
  frames(pen, colours);
  legend(most, palette);
  canvas.dataset.drawMs = Math.round(performance.now() - began);
  fill(at('picture-count'), `${count(cells.table.length)} regions as cells${cells.leftOut ? `, ${count(cells.leftOut)} left out` : ''}, of ${clock(cells.atMs)}`);
}
/** Cells of one colour after another: a change of colour costs more than a cell. */
function paint(pen, shade, palette) {
  const n = shade.length, place = map.place, from = new Uint32Array(palette.length + 1), order = new Uint32Array(n);
  for (let i = 0; i < n; i++) from[shade[i] + 1]++;
  for (let s = 0; s < palette.length; s++) from[s + 1] += from[s];
  const next = from.slice();
  for (let i = 0; i < n; i++) order[next[shade[i]]++] = i;
  for (let s = 0; s < palette.length; s++) {
    pen.fillStyle = palette[s];
    for (let k = from[s]; k < from[s + 1]; k++) {
      const o = order[k] * 4, w = place[o + 2], h = place[o + 3], gap = w > 5 && h > 5 ? 0.6 : 0;
      pen.fillRect(place[o], place[o + 1], Math.max(0.4, w - gap), Math.max(0.4, h - gap));
    }
  }
}
function frames(pen, colours) {
  pen.strokeStyle = colours.gap; pen.lineWidth = 1;
  for (const server of map.servers) if (server.w > 3 && server.h > 3) pen.strokeRect(server.x, server.y, server.w, server.h);
  pen.fillStyle = colours.ink; pen.strokeStyle = colours.ink;
  pen.textBaseline = 'top';
  for (const rack of map.racks) {
    pen.lineWidth = 1.5;
    pen.strokeRect(rack.x + 0.75, rack.y + 0.75, rack.w - 1.5, rack.h - 1.5);
    if (rack.h > 80) { pen.font = '600 11px system-ui, sans-serif'; label(pen, `${rack.rack || 'rack not known'} · ${rack.servers.length} servers`, rack.x + 5, rack.y + 4, rack.w - 10, null); }
  }
  pen.font = '10.5px system-ui, sans-serif';
  for (const server of map.servers) if (server.w > 66 && server.h > 30) label(pen, server.name.split('.')[0].split(':')[0], server.x + 4, server.y + 4, server.w - 8, colours);
}
function label(pen, text, x, y, room, colours) {
  let shownText = text;
  while (shownText.length > 3 && pen.measureText(shownText).width > room) shownText = shownText.slice(0, -2) + '…';
  if (colours) {
    pen.globalAlpha = 0.75; pen.fillStyle = colours.gap;
    pen.fillRect(x - 2, y - 2, pen.measureText(shownText).width + 4, 14);
    pen.globalAlpha = 1; pen.fillStyle = colours.ink;
  }
  pen.fillText(shownText, x, y);
}
function swatch(colour) { const node = el('span', { class: 'swatch' }); node.style.background = colour; return node; }
function legend(most, palette) {
  const bar = el('span', { class: 'ramp' });
  bar.style.background = `linear-gradient(90deg, ${palette.slice(0, SHADES).join(',')})`;
  fill(at('picture-legend'), colourBy === 'heat'
    ? ['requests, ', most > 0 ? rate(most / 1000) + ' or less' : 'none', bar, most > 0 ? rate(most) + ' (logarithmic)' : '', swatch(palette[SHADES]), 'heat not known yet']
    : ['local bytes: none', bar, 'almost all', swatch(palette[SHADES + 1]), 'all of them', swatch(palette[SHADES]), 'empty or not known'],
  sizeBy === 'size' ? '. A cell is as large as its store files; empty regions get a little.' : '. All cells are alike.');
}

function cellAt(event) {
  if (!map) return -1;
  const box = at('canvas').getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const server = map.servers.find(one => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h);
  if (!server) return -1;
  for (let i = server.first; i < server.last; i++) {
    const o = i * 4;
    if (x >= map.place[o] && x < map.place[o] + map.place[o + 2] && y >= map.place[o + 1] && y < map.place[o + 1] + map.place[o + 3]) return i;
  }
  return -1;
}
function words(cell) {
  const server = map.servers.find(one => cell >= one.first && cell < one.last);
  const local = cells.local[cell] < 0 ? 'locality not known' : cells.local[cell] + ' % local';
  return `${cells.tables[cells.table[cell]]} on ${server.name} (${server.rack || 'rack not known'}): ${bytes(cells.kib[cell] * 1024)}, ${cells.requests[cell] < 0 ? 'heat not known' : rate(cells.requests[cell])}, ${local}`;
}
function hover(event) {
  const cell = cellAt(event), tip = at('tip'), box = at('canvas').getBoundingClientRect();
  tip.hidden = cell < 0;
  if (cell < 0) return;
  fill(tip, words(cell));
  tip.style.left = Math.min(event.clientX - box.left + 12, Math.max(0, box.width - 250)) + 'px';
  tip.style.top = Math.min(event.clientY - box.top + 12, box.height - 70) + 'px';
}
async function pick(event) {
  const cell = cellAt(event);
  if (cell < 0) return;
  pickedCell = cell;
  const text = words(cell);
  const answer = await get(`/api/cell?at=${cells.atMs}&index=${cell}`).catch(failure => ({ region: '', problem: failure.message }));
  fill(at('picked'), text + ' ', answer.region ? el('span', { class: 'mono' }, answer.region) : '(' + answer.problem + ')', ' ', answer.region ? actionButton('Heal now', 'heal', { region: answer.region }) : null);
}

function tools() {
  const choice = (name, options, current, set) => el('span', {}, name + ' ', el('span', { class: 'group', role: 'group', 'aria-label': name }, options.map(([value, text]) =>
    el('button', { 'aria-pressed': String(value === current), onclick: () => { set(value); tools(); drawPicture(); } }, text))));
  fill(at('picture-tools'),
    choice('Colour', [['heat', 'heat'], ['local', 'locality']], colourBy, value => { colourBy = value; }),
    choice('Size', [['size', 'store size'], ['alike', 'all alike']], sizeBy, value => { sizeBy = value; }),
    el('label', {}, 'Table ', el('select', { onchange: event => { tableShown = event.target.value; drawPicture(); } },
      el('option', { value: '' }, 'all'), (cells ? cells.tables : []).map((table, index) => el('option', { value: index, selected: String(index) === tableShown ? '' : undefined }, table)))));
}
/** Asked for once when it comes into view, and again each half minute while it is. */
async function askForCells() {
  if (Date.now() - asked < 30000) return;
  asked = Date.now();
  try {
    const fresh = await get('/api/treemap');
    const tablesChanged = !cells || cells.tables.join() !== fresh.tables.join();
    cells = fresh;
    if (tablesChanged) tools();
    if (cells.table.length === 0) { fill(at('picture-count'), 'no region is open'); return; }
    drawPicture();
  } catch (failure) {
    fill(at('picture-count'), failure.message);
  }
}
function startPicture() {
  const wish = new URLSearchParams(location.search);
  if (wish.get('colour') === 'locality') colourBy = 'local';
  tools();
  let isSeen = false;
  new IntersectionObserver(entries => { isSeen = entries.some(entry => entry.isIntersecting); if (isSeen) askForCells(); }, { rootMargin: '600px' }).observe(at('picture'));
  setInterval(() => { if (isSeen && !document.hidden) askForCells(); }, 5000);
  at('canvas').addEventListener('mousemove', hover);
  at('canvas').addEventListener('mouseleave', () => { at('tip').hidden = true; });
  at('canvas').addEventListener('click', pick);
  dark.addEventListener('change', drawPicture);
  let resized = 0;
  addEventListener('resize', () => { clearTimeout(resized); resized = setTimeout(drawPicture, 150); });
}
