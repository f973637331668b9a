// The tiles: ten seconds to see whether heat is even and data is local.
const BALANCE_STATES = {
  BALANCED: ['even', 'good'], UNBALANCED: ['uneven', 'bad'], AT_LOWER_BOUND: ['as even as can be', 'warn'], BELOW_MIN_LOAD: ['too little load to tell', ''], ZERO_WEIGHT: ['weight 0: not balanced', ''],
};

/** One dot a server on a line; a tick at the fair share, another at the best that can be. */
function strip(values, axis, marks, kind) {
  const width = Math.max(120, Math.round((at('overview').clientWidth || 1200) / (innerWidth > 1100 ? 4 : 2) - (innerWidth > 720 ? 46 : 30))), y = 14;
  const x = value => 4 + Math.min(1, value / axis) * (width - 8);
  const picture = svg('svg', { class: 'strip', viewBox: `0 0 ${width} 34`, 'aria-hidden': 'true' },
    svg('line', { class: 'axis', x1: 4, x2: width - 4, y1: y, y2: y }));
  for (const mark of marks) picture.append(svg('line', { class: mark.kind, x1: x(mark.at), x2: x(mark.at), y1: 3, y2: 25, 'stroke-width': 1.5 }));
  const step = Math.max(1, Math.ceil(values.length / 400));
  const sorted = [...values].sort((a, b) => a - b);
  sorted.forEach((value, index) => {
    if (index % step === 0 || index >= sorted.length - 3) {
      picture.append(svg('circle', { class: 'dot ' + kind(value), cx: x(value), cy: y + (index % 5 - 2) * 2.2, r: 3, 'fill-opacity': values.length > 60 ? .45 : .8 }));
    }
  });
  return picture;
}

function balanceTile(one, all, halfLifeMs) {
  const servers = all.filter(server => !server.draining);
  const [word, kind] = BALANCE_STATES[one.state], dimension = dimensionOf(one.dimension);
  const shares = servers.map(server => server[dimension.share]);
  const axis = Math.max(1.5, one.maxOverMean, one.lowerBound) * 1.05;
  const none = !(one.meanPerServer > 0);
  return el('div', { class: 'tile ' + kind },
    el('h3', {}, dimension.title, chip(none ? 'none yet' : word, kind)),
    el('div', { class: 'big' }, none ? '–' : times(one.maxOverMean), el('small', {},'of its fair share: the busiest server')),
    none ? null : strip(shares, axis, [{ kind: 'fair', at: 1 }].concat(one.lowerBound > 1.005 ? [{ kind: 'bound', at: one.lowerBound }] : []),
      value => value > one.trigger ? 'over' : ''),
    el('p', {}, none ? 'No ' + one.label + ' known in the whole cluster.' : `${amount(one.total, one.unit)} in all${!dimension.counter ? '' : ` (half-life ${span(halfLifeMs)}; between the last two reports ${amount(one.last, one.unit)})`}, ${amount(one.total / servers.length, one.unit)} a server; busiest ${one.hottest}`),
    none ? null : el('p', {}, `moves are planned above ${times(one.trigger)}${one.lowerBound > 1.005 ? `; no plan comes below ${times(one.lowerBound)}, ${one.lowerBoundRegions > 1 ? `${one.lowerBoundRegions} of the hottest regions have to share a server` : 'one region alone'}` : ''}`));
}

function localityTile(overview, servers, healing) {
  const all = overview.blockBytes, local = overview.localBytes, remote = healing.remoteBytes;
  const kind = !(all > 0) ? '' : remote === 0 ? 'good' : local / all >= 0.9 ? 'warn' : 'bad';
  const shares = servers.filter(server => server.totals.reported.blockBytes > 0).map(server => server.totals.reported.localBytes / server.totals.reported.blockBytes);
  const worst = servers.filter(server => server.totals.reported.blockBytes > server.totals.reported.localBytes).sort((a, b) => REMOTE_BYTES(b) - REMOTE_BYTES(a))[0];
  return el('div', { class: 'tile ' + kind },
    el('h3', {}, 'Local data', chip(!(all > 0) ? 'not known yet' : remote === 0 ? (local < all ? 'all of it, by the NameNode' : 'all of it') : bytes(remote) + ' remote', kind)),
    el('div', { class: 'big' }, all > 0 ? percent(local, all) : '–', el('small', {}, remote < all - local ? 'of bytes are reported local to their server' : 'of bytes are local to their server')),
    all > 0 ? strip(shares, 1, [], value => value < 1 ? 'remote' : 'local') : null,
    el('p', {}, all > 0 ? `${bytes(all)} of blocks${worst ? '; most remote on ' + worst.name : ''}` : 'No server has reported blocks.'),
    notReported(healing) ? el('p', {}, notReported(healing)) : null,
    el('p', {}, 'Healing is ' + healing.stateText + (remote > 0 && KNOWN(healing.estimatedHealMs) ? `: all local in about ${span(healing.estimatedHealMs)}` : '')));
}

function notices(page) {
  const { overview, healing } = page;
  const all = [];
  const say = (text, kind) => all.push(el('p', { class: 'notice ' + (kind || '') }, text));
  if (healing.state === 'ALARMED') say('Healing has stopped by itself: ' + healing.why, 'bad');
  if (!overview.balancer.installed) say("This master's balancer is not Hearth's: heat is not known, and no plan is made for it. See docs/install.md.");
  else if (!overview.balancer.enabled) say('hearth.balancer.enabled is false: plans are those of the stock balancer.');
  else if (!overview.balancer.switchedOn) say('The balancer is switched off (balance_switch): nothing is moved.');
  if (overview.balancer.adviseOnly) say('Plans are only advice: ' + overview.balancer.adviseOnly + '.');
  if (overview.balancer.braked) say('Braked, nothing but canary regions is moved: ' + overview.balancer.braked + '.');
  const canaries = overview.balancer.canaries;
  if (canaries) say(`${count(canaries.regions)} canary regions of ${canaries.table} on ${count(canaries.servers)} servers${canaries.serversWithout > 0 ? `, of which ${count(canaries.serversWithout)} have none` : ''}; they are no part of this page.`, 'calm');
  for (const server of overview.balancer.excludedServers || []) say(`${server.name} receives no regions${server.sinceMs ? ', since ' + day(server.sinceMs) : ''}: ${server.why}.`, 'bad');
  if (healing.state === 'PAUSED') say('Healing is paused: ' + healing.why + '.');
  if (overview.balancer.installed && overview.regions > 0 && overview.unknownHeat === overview.regions) say('No heat yet: servers have to report for a minute or so before a rate can be trusted.', 'calm');
  else if (overview.balancer.installed && overview.unknownHeat > 0.02 * overview.regions) say(`The heat of ${count(overview.unknownHeat)} of ${count(overview.regions)} regions is not known yet: they count at their first rates, and are not moved.`, 'calm');
  return all;
}

function drawOverview(page) {
  const { overview, healing } = page, { servers } = page.state;
  fill(at('where'), 'on ' + overview.master);
  fill(at('notices'), notices(page));
  fill(at('overview'), overview.balance.map(one => balanceTile(one, servers, overview.halfLifeMs)), localityTile(overview, servers, healing));
}
