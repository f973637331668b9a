// Servers as rows: each value as a bar against what is fair.
const BUSIEST = server => Math.max(...SHOWN.map(one => server[one.share]));
const REMOTE_BYTES = server => server.totals.reported.blockBytes - server.totals.reported.localBytes;
const LOCALITY = server => server.totals.reported.blockBytes > 0 ? server.totals.reported.localBytes / server.totals.reported.blockBytes : 2;
const SORTS = [
  { key: 'busiest', label: 'busiest first', by: BUSIEST, down: true },
  { key: 'name', label: 'Server', by: server => server.name },
  { key: 'rack', label: 'Rack', by: server => server.rack + ' ' + server.name },
  { key: 'regions', label: 'Regions', by: server => server.totals.regions, down: true },
  ...SHOWN.map(one => ({ key: one.name, label: one.title, by: server => server[one.share], down: true })),
  { key: 'locality', label: 'Locality', by: LOCALITY },
];
const SERVERS_FIRST = innerWidth > 720 ? 25 : 6;
let serverSort = { key: 'busiest', turned: false };

function sortBy(key) {
  serverSort = { key, turned: serverSort.key === key && !serverSort.turned };
  drawServers(shown);
}
function sorted(servers) {
  const sort = SORTS.find(one => one.key === serverSort.key);
  const sign = (sort.down ? -1 : 1) * (serverSort.turned ? -1 : 1);
  return [...servers].sort((a, b) => { const x = sort.by(a), y = sort.by(b); return x < y ? -sign : x > y ? sign : a.name < b.name ? -1 : 1; });
}
function headOf(key) {
  const sort = SORTS.find(one => one.key === key);
  return el('button', { onclick: () => sortBy(key) }, sort.label);
}
function direction(key) {
  if (serverSort.key !== key) return undefined;
  return SORTS.find(one => one.key === key).down === !serverSort.turned ? 'descending' : 'ascending';
}
function heatIsUnknown({ totals }) {
  return totals.regions > 0 && totals.unknownHeat === totals.regions;
}
function loadColumn({ name: key, share: field, title, unit, counter }, balance) {
  const one = balance.find(candidate => candidate.dimension === key);
  const value = ({ totals }) => amount((key in totals.reported ? totals.reported : totals.measuredLoad)[key], unit);
  const axis = Math.max(1.25, one.maxOverMean, one.lowerBound) * 1.02;
  return { label: title, head: headOf(key), sorted: direction(key), class: 'barcell',
    cell: server => el('div', { class: 'barline' }, el('span', { class: 'num' }, counter && heatIsUnknown(server) ? el('span', { class: 'muted' }, 'not known') : value(server)), shareBar(server[field], axis, one.lowerBound, server[field] > one.trigger && one.state !== 'BELOW_MIN_LOAD'),
      el('span', { class: 'times num' }, one.meanPerServer > 0 ? times(server[field]) : '')) };
}

function drawRacks(servers, racks) {
  const mean = (all, field) => { const of = all.filter(server => !server.draining); return of.length ? of.reduce((sum, server) => sum + server[field], 0) / of.length : 0; };
  const isUnknown = all => all.some(heatIsUnknown) && all.every(server => server.totals.regions === 0 || heatIsUnknown(server));
  fill(at('racks'), racks.map(rack => {
    const of = servers.filter(server => server.rack === rack);
    const local = of.reduce((sum, server) => sum + server.totals.reported.localBytes, 0), all = of.reduce((sum, server) => sum + server.totals.reported.blockBytes, 0);
    return el('span', { class: 'chip' }, rackMark(rack, racks), `${rack || 'rack not known'} · ${of.length} ${of.length === 1 ? 'server' : 'servers'}${SHOWN.filter(one => one.counter).map(one => ` · ${one.label} ${isUnknown(of) ? 'not known' : times(mean(of, one.share))}`).join('')}${all > 0 ? ` · ${percent(local, all)} local` : ''}`);
  }));
}

function drawServers(page) {
  const { overview } = page, { servers } = page.state;
  const racks = [...new Set(servers.map(server => server.rack))].sort();
  fill(at('servers-count'), `${count(servers.length)} in ${racks.length} ${racks.length === 1 ? 'rack' : 'racks'}, ${count(overview.regions)} regions`);
  drawRacks(servers, racks);
  fill(at('servers-sort'), el('label', {}, 'Sort by ', el('select', { onchange: event => sortBy(event.target.value) },
    SORTS.map(sort => el('option', { value: sort.key, selected: sort.key === serverSort.key ? '' : undefined }, sort.label)))));
  const columns = [
    { label: 'Server', head: headOf('name'), sorted: direction('name'), wide: true, bare: true, class: 'name', cell: server => [rackMark(server.rack, racks), server.name, server.capacity === 1 ? null : el('span', { class: 'muted' }, ` capacity ${server.capacity}`), server.draining ? el('span', { class: 'muted' }, ' decommissioned') : null] },
    { label: 'Rack', head: headOf('rack'), sorted: direction('rack'), cell: server => server.rack || 'not known' },
    { label: 'Regions', head: headOf('regions'), sorted: direction('regions'), class: 'right num', cell: server => [count(server.totals.regions), server.totals.unknownHeat ? el('span', { class: 'muted', title: 'regions whose heat is not known yet' }, ` (${server.totals.unknownHeat}?)`) : null] },
    ...SHOWN.map(one => loadColumn(one, overview.balance)),
    { label: 'Locality', head: headOf('locality'), sorted: direction('locality'), class: 'barcell', cell: server => el('div', { class: 'barline' }, el('span', { class: 'num' }, percent(server.totals.reported.localBytes, server.totals.reported.blockBytes)), localityBar(server.totals.reported.localBytes, server.totals.reported.blockBytes)) },
  ];
  const rows = sorted(servers);
  fill(at('servers-table'), servers.length === 0 ? empty('No RegionServer is online.') : cards(columns, firstOf(rows, SERVERS_FIRST, 'servers')), more(rows, SERVERS_FIRST, 'servers', () => drawServers(shown)));
}
