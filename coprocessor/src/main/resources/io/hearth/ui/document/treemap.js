// Where each cell goes: racks, in them servers, in them regions, each as large as its bytes. Squarified (Bruls, Huizing, van Wijk 2000).
/** Lays these sizes (largest first) into a rectangle; tells each its place by put(index, x, y, width, height). */
function squarify(sizes, x, y, width, height, put) {
  let total = 0;
  for (let i = 0; i < sizes.length; i++) total += sizes[i];
  if (!(total > 0) || width <= 0 || height <= 0) return;
  const scale = width * height / total;
  let start = 0;
  while (start < sizes.length) {
    const side = Math.min(width, height);
    let end = start, sum = 0, worst = Infinity;
    while (end < sizes.length) {
      const next = sum + sizes[end] * scale;
      const largest = sizes[start] * scale, smallest = Math.max(1e-12, sizes[end] * scale);
      const ratio = Math.max(side * side * largest / (next * next), next * next / (side * side * smallest));
      if (ratio > worst) break;
      worst = ratio; sum = next; end++;
    }
    const thick = Math.min(sum / side, width >= height ? width : height);
    let along = 0;
    for (let i = start; i < end; i++) {
      const length = sum > 0 ? sizes[i] * scale / sum * side : 0;
      if (width >= height) put(i, x, y + along, thick, length); else put(i, x + along, y, length, thick);
      along += length;
    }
    if (width >= height) { x += thick; width -= thick; } else { y += thick; height -= thick; }
    start = end;
  }
}

/** The places of all cells, and the frames of servers and racks. */
function layOut(cells, width, height, bySize) {
  const n = cells.table.length;
  const weight = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += cells.kib[i];
  // What is empty is still a region: it gets a little.
  const least = bySize ? Math.max(sum / n * 0.04, 1e-6) : 1;
  for (let i = 0; i < n; i++) weight[i] = bySize ? Math.max(least, cells.kib[i]) : 1;
  const place = new Float32Array(n * 4);
  const servers = cells.servers.map((server, index) => {
    const last = index + 1 < cells.servers.length ? cells.servers[index + 1].first : n;
    let own = 0;
    for (let i = server.first; i < last; i++) own += weight[i];
    return { index, name: server.name, rack: server.rack, first: server.first, last, weight: own };
  }).filter(server => server.last > server.first);
  const racks = [...new Set(servers.map(server => server.rack))].map(rack => {
    const of = servers.filter(server => server.rack === rack).sort((a, b) => b.weight - a.weight);
    return { rack, servers: of, weight: of.reduce((total, server) => total + server.weight, 0) };
  }).sort((a, b) => b.weight - a.weight);
  squarify(racks.map(rack => rack.weight), 0, 0, width, height, (index, x, y, w, h) => placeRack(racks[index], x, y, w, h));
  return { place, servers, racks };

  function placeRack(rack, x, y, w, h) {
    Object.assign(rack, { x, y, w, h });
    const head = h > 80 ? 15 : 0;
    squarify(rack.servers.map(server => server.weight), x + 2, y + 2 + head, w - 4, h - 4 - head, (index, sx, sy, sw, sh) => placeServer(rack.servers[index], sx, sy, sw, sh));
  }
  function placeServer(server, x, y, w, h) {
    Object.assign(server, { x, y, w, h });
    const order = [];
    for (let i = server.first; i < server.last; i++) order.push(i);
    order.sort((a, b) => weight[b] - weight[a] || cells.table[a] - cells.table[b]);
    const gap = w > 12 && h > 12 ? 1 : w > 4 && h > 4 ? 0.5 : 0;
    squarify(order.map(cell => weight[cell]), x + gap, y + gap, w - 2 * gap, h - 2 * gap, (index, cx, cy, cw, ch) => place.set([cx, cy, cw, ch], order[index] * 4));
  }
}
