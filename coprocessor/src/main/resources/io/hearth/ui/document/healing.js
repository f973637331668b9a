// Healing: what is remote, how fast it is healed, the last heals.
const STATE_KIND = { ON: 'good', ADVISING: 'warn', WAITING: 'warn', PAUSED: 'warn', BRAKED: 'warn', OUTSIDE_WINDOWS: 'warn', OFF: 'bad', ALARMED: 'bad', NOT_INSTALLED: '' };
const fact = (value, what) => el('div', { class: 'fact' }, el('b', {}, value), el('span', {}, what));

function progress(overview, healing) {
  const bar = el('div', { class: 'progress' + (overview.blockBytes > 0 ? '' : ' none') }, el('i'));
  bar.firstChild.style.width = overview.blockBytes > 0 ? overview.localBytes / overview.blockBytes * 100 + '%' : '0';
  return [bar, el('p', { class: 'legend muted' }, overview.blockBytes > 0 ? `${percent(overview.localBytes, overview.blockBytes)} of ${bytes(overview.blockBytes)} local, as servers report; ${healing.remoteBytes > 0 ? bytes(healing.remoteBytes) + ' remote' : 'nothing remote'}` : 'No server has reported blocks.'), notReported(healing) ? el('p', { class: 'legend muted' }, notReported(healing)) : null];
}
function pace(healing) {
  const limit = healing.limitBytesPerSecond || Math.max(healing.allowedBytesPerSecond, healing.verifiedBytesPerSecond || 0, 1);
  const bar = el('div', { class: 'pace' }, el('u'), el('i'));
  bar.firstChild.style.width = Math.min(100, healing.allowedBytesPerSecond / limit * 100) + '%';
  bar.lastChild.style.width = Math.min(100, (healing.verifiedBytesPerSecond || 0) / limit * 100) + '%';
  return [bar, el('p', { class: 'legend muted' }, `${KNOWN(healing.verifiedBytesPerSecond) ? bytesRate(healing.verifiedBytesPerSecond) : 'rate not known yet'} verified in the last two minutes; ${bytesRate(healing.allowedBytesPerSecond)} allowed now, of ${healing.limitBytesPerSecond ? bytesRate(healing.limitBytesPerSecond) + ' at most' : 'no limit'}${healing.now.throttleReasons ? `; ${healing.now.throttleReasons} ${healing.now.throttleReasons === 1 ? 'throttle reason' : 'throttle reasons'}` : ''}`)];
}
// In one sentence: what holds healing back now, for whom most is left, and when it is over.
function outlook(overview, healing) {
  if (healing.state !== 'ON' || !(healing.remoteBytes > 0)) return null;
  const parts = [];
  if (healing.heldBackBy) parts.push(`held back by ${healing.heldBackBy}${healing.heldBackHint ? ` (${healing.heldBackHint})` : ''}`);
  if (healing.busiest.length) parts.push(`most is left for ${healing.busiest.map(one => `${one.server} (${bytes(one.remoteBytes)})`).join(', ')}`);
  if (KNOWN(healing.estimatedHealMs)) parts.push(`all is local at ${finish(overview.atMs, healing.estimatedHealMs)} at this rate`);
  return parts.length ? el('p', { class: 'legend', id: 'healing-outlook' }, `Healing: ${parts.join('; ')}.`) : null;
}
const finish = (atMs, inMs) => (inMs < 12 * 3600e3 ? clock : day)(atMs + inMs);
const ENDS = { REPORTED: ['local', 'good'], UNREPORTED: ['local, not reported', 'good'], UNFINISHED: ['in part', 'warn'], REGION_MOVED: ['region moved away', ''], ADVISED: ['advice', ''], COMPACTION_REQUESTED: ['compaction requested', 'warn'] };

function lastHeals(healing) {
  if (healing.lastHeals.length === 0) return empty('No heal has ended since this master became active.');
  const columns = [
    { label: 'Ended', class: 'num', cell: heal => clock(heal.endedAtMs) },
    { label: 'Region', wide: true, cell: regionName },
    { label: 'Server', cell: heal => heal.server },
    { label: 'End', cell: heal => chip(...(ENDS[heal.end] || [heal.end])) },
    { label: 'Moved', class: 'right num', cell: heal => `${bytes(heal.bytes)} in ${count(heal.blocks)} ${heal.blocks === 1 ? 'block' : 'blocks'}` },
    { label: 'Took', class: 'right num', cell: heal => span(heal.endedAfterMs) },
  ];
  return [cards(columns, firstOf(healing.lastHeals, LINES_FIRST, 'heals')), more(healing.lastHeals, LINES_FIRST, 'heals', () => drawHealing(shown))];
}

function drawHealing(page) {
  const { healing, overview } = page;
  fill(at('healing-state'), chip(healing.stateText, STATE_KIND[healing.state]), healing.why ? ' ' + healing.why : '');
  if (!healing.installed) {
    fill(at('healing-body'), empty('This master has no healer: io.hearth.healer.hbase.LocalityHealingObserver is not in hbase.coprocessor.master.classes.'));
    return;
  }
  const now = healing.now, done = healing.sinceStart;
  const left = !(overview.blockBytes > 0) ? 'not known' : healing.remoteBytes === 0 ? 'nothing remote' : KNOWN(healing.estimatedHealMs) ? span(healing.estimatedHealMs) : 'not known';
  fill(at('healing-body'), progress(overview, healing),
    el('div', { class: 'facts' },
      fact(count(now.regionsQueued), 'regions in the queue'), fact(count(now.blocksInFlight), 'blocks being moved'), fact(count(now.blocksWaiting), 'blocks waiting'),
      fact(left, 'to 100 % at this rate'), fact(bytes(done.bytesVerified), 'verified by the NameNode'), fact(bytes(done.bytesAcrossRacks || 0), 'copied between racks'), fact(count(done.regionsHealed), 'regions healed'),
      fact(count(done.blocksReverted + done.blocksRevertedAfterVerify), 'blocks reverted'), fact(count(done.blocksFailed), 'blocks failed')),
    el('h3', {}, 'Rate'), pace(healing), outlook(overview, healing), healingActions(healing), el('h3', {}, 'Last heals'), lastHeals(healing));
}
