// The DataNodes that are not healthy, the worst first; nothing where all are.
const NODE_KIND = { DEAD: 'bad', SUSPECT: 'warn', PROBING: '' };

function drawDataNodes(page) {
  const nodes = page.healing.unhealthyDataNodes || [];
  at('datanodes').hidden = nodes.length === 0;
  const rows = Object.keys(NODE_KIND).flatMap(state => nodes.filter(one => one.state === state));
  const columns = [
    { label: 'DataNode', wide: true, bare: true, class: 'name', cell: one => one.host },
    { label: 'State', cell: one => chip(one.state.toLowerCase(), NODE_KIND[one.state]) },
    { label: 'Since', class: 'num', cell: one => day(one.sinceMs) },
    { label: 'Why', wide: true, class: 'text', cell: one => 'it ' + one.why },
  ];
  fill(at('datanodes-count'), `${count(nodes.length)} not healthy`);
  fill(at('datanodes-body'), rows.length === 0 ? '' : cards(columns, firstOf(rows, SERVERS_FIRST, 'datanodes')), more(rows, SERVERS_FIRST, 'datanodes', () => drawDataNodes(shown)));
}
