// The hottest regions: how hot, for how long, and why each was or was not moved.
const REGIONS_FIRST = innerWidth > 720 ? 10 : 5;
const PINS = {
  IN_FLIGHT: 'in flight', COOL_DOWN: 'cool-down', RESTING: 'resting', MOVED_MANUALLY: 'moved manually', OSCILLATING: 'frozen',
};

function spark(samples) {
  const known = samples.filter(value => value !== null);
  if (known.length < 2) return el('span', { class: 'muted' }, 'too few samples');
  const top = Math.max(...known, 1e-9), width = 120, height = 26, step = width / 59;
  const offset = 60 - samples.length;
  let line = '', pen = 'M';
  let first = null, last = 0;
  samples.forEach((value, index) => {
    if (value === null) { pen = 'M'; return; }
    const x = ((offset + index) * step).toFixed(1), y = (height - 2 - value / top * (height - 4)).toFixed(1);
    first = first === null ? x : first;
    last = x;
    line += pen + x + ' ' + y;
    pen = 'L';
  });
  const picture = svg('svg', { class: 'spark', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img' },
    svg('path', { class: 'area', d: line.replace(/(?!^)M/g, 'L') + `L${last} ${height}L${first} ${height}Z` }), svg('path', { d: line }));
  picture.append(svg('title', {}, `last ${known.length} samples: now ${rate(known[known.length - 1])}, most ${rate(top)}`));
  return picture;
}

function pinOf(row) {
  if (!row.pin) return el('span', { class: 'muted' }, 'none');
  return el('span', { class: 'chip warn', title: `${row.pin.who}: ${row.pin.why}` }, `${PINS[row.pin.pin] || row.pin.pin} until ${clock(row.pin.untilMs)}`);
}
function regionName(row) {
  const known = isInMaster ? el('a', { href: '/table.jsp?name=' + encodeURIComponent(row.table) }, row.table) : row.table;
  return [known, ' ', el('span', { class: 'mono muted', title: row.region }, row.region.slice(0, 8) + (row.region.length > 8 ? '…' : ''))];
}

function drawHottest(page) {
  const rows = page.hottest;
  fill(at('hottest-count'), rows.length ? `the ${rows.length} with the largest share of a server's fair load` : '');
  const most = Math.max(1e-9, ...rows.map(row => row.share));
  const columns = [
    { label: 'Region', wide: true, bare: true, class: 'name', cell: row => [regionName(row), el('div', { class: 'muted' }, 'on ' + row.server)].flat() },
    { label: 'Of a fair share', class: 'barcell', cell: row => el('div', { class: 'barline', title: `${times(row.share)} of a mean server's fair share of ${dimensionOf(row.because).label}` }, shareBar(row.share, Math.max(most, 1.02), 1, row.share > 1), el('span', { class: 'times num' }, times(row.share))) },
    ...SHOWN.filter(one => one.counter).map(one => ({ label: one.title, class: 'right num', cell: row => amount(row[one.name], one.unit) })),
    { label: 'Last hour', cell: row => spark(row.recentRequestsPerSecond) },
    { label: 'Size', class: 'right num', cell: row => [bytes(row.storeBytes), el('div', { class: row.localBytes < row.blockBytes ? '' : 'muted' }, row.blockBytes > 0 ? percent(row.localBytes, row.blockBytes) + ' local' : 'no blocks known')] },
    { label: 'Pin', cell: pinOf },
    { label: 'Why it was or was not moved', wide: true, class: 'why', cell: row => [row.why, rowActions(row)] },
  ];
  fill(at('hottest-table'), rows.length === 0
    ? empty('No heat yet: no region has a known rate above zero. Servers have to report for about a minute (hearth.balancer.heat.min.observed.ms).')
    : cards(columns, firstOf(rows, REGIONS_FIRST, 'hottest')), more(rows, REGIONS_FIRST, 'hottest', () => drawHottest(shown)));
}
