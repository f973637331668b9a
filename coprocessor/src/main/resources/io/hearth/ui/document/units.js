// Numbers with their units. Nothing here touches the page.
/** What an operator calls each dimension of load. */
const DIMENSIONS = { readsPerSecond: 'reads', writesPerSecond: 'writes', storeBytes: 'store size', memstoreBytes: 'memstore' };
const KNOWN = value => value !== undefined && value !== null && Number.isFinite(value);

function scaled(value, step, prefixes) {
  let power = 0;
  let scaledValue = Math.abs(value);
  while (scaledValue >= step * 0.9995 && power < prefixes.length - 1) { scaledValue /= step; power++; }
  const digits = scaledValue >= 100 || (power === 0 && Number.isInteger(scaledValue)) ? 0 : scaledValue >= 10 ? 1 : 2;
  return (value < 0 ? '-' : '') + scaledValue.toFixed(digits) + prefixes[power];
}
const rate = value => KNOWN(value) ? scaled(value, 1000, [' /s', ' k/s', ' M/s', ' G/s']) : 'not known';
const bytes = value => KNOWN(value) ? scaled(value, 1024, [' B', ' KB', ' MB', ' GB', ' TB', ' PB']) : 'not known';
const bytesRate = value => KNOWN(value) ? bytes(value) + '/s' : 'not known';
const count = value => KNOWN(value) ? value.toLocaleString('en-US') : 'not known';
const times = value => KNOWN(value) ? value.toFixed(2) + '×' : 'not known';
const amount = (value, unit) => unit === 'bytes' ? bytes(value) : rate(value);

/** Rounded down: only what is whole is 100 %. */
function percent(part, whole) {
  if (!(whole > 0)) return 'not known';
  const tenths = Math.floor(part / whole * 1000) / 10;
  return (tenths >= 100 ? '100' : tenths.toFixed(1)) + ' %';
}
function span(ms) {
  if (!KNOWN(ms)) return 'not known';
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return seconds + ' s';
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return minutes + ' min';
  const hours = Math.round(minutes / 6) / 10;
  return hours < 48 ? hours + ' h' : Math.round(hours / 24) + ' days';
}
/** Regions that are local though their servers do not report it, with what corrects the reports; empty where there are none. */
function notReported(healing) {
  const regions = healing.now.regionsLocalNotReported || healing.localNotReported.length;
  if (!(regions > 0)) return '';
  const first = healing.localNotReported[0];
  return `local by the NameNode, not reported yet: ${count(regions)} ${regions === 1 ? 'region (reopening it corrects the report)' : 'regions (reopening them corrects the reports)'}`
    + (first ? `; in hbase shell: unassign '${first.region}'; assign '${first.region}'${regions > 1 ? `, and so for ${count(regions - 1)} more` : ''}` : '');
}
/** What a plan is for: a table, a group, or all tables together, which HBase calls hbase:ensemble. */
const scopeText = scope => scope === 'hbase:ensemble' ? 'all tables together' : scope;
const clock = ms => new Date(ms).toLocaleTimeString([], { hour12: false });
const day = ms => new Date(ms).toLocaleString([], { hour12: false, month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
