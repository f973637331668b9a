// The read caches of DataNodes, as the doctor has read them; nothing where no DataNode has one.
const MODE_KIND = { on: 'good', shadow: 'warn', off: '' };
const fromSsd = one => one.ssdBytes + one.diskBytes > 0 ? `${bytes(one.ssdBytes)} (${percent(one.ssdBytes, one.ssdBytes + one.diskBytes)})` : 'nothing read';
const written = one => `${bytes(one.writtenBytesPerDay)} of ${bytes(one.maxBytes)}`;

function drawCaches(page) {
  const { atMs, readCaches } = page.doctor;
  at('caches').hidden = readCaches.length === 0;
  const rows = [...readCaches.filter(one => one.trouble), ...readCaches.filter(one => !one.trouble)];
  const columns = [
    { label: 'DataNode', wide: true, bare: true, class: 'name', cell: one => one.host },
    { label: 'Mode', cell: one => [chip(one.mode, MODE_KIND[one.mode]), one.trouble ? [' ', chip(one.trouble, 'bad')] : null].flat() },
    { label: 'From the SSD', class: 'right num', cell: fromSsd },
    { label: 'Hit ratio', class: 'right num', cell: one => KNOWN(one.hitRatio) ? percent(one.hitRatio, 1) : 'not known' },
    { label: 'Written in a day', class: 'right num', cell: written },
  ];
  fill(at('caches-state'), KNOWN(atMs) ? `as of ${day(atMs)}` : '');
  fill(at('caches-body'), rows.length === 0 ? '' : cards(columns, firstOf(rows, SERVERS_FIRST, 'caches')), more(rows, SERVERS_FIRST, 'caches', () => drawCaches(shown)));
}
