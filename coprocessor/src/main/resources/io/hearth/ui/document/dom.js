// Elements. Text is always text: what comes from the cluster never becomes HTML.
const at = id => document.getElementById(id);

function el(tag, properties, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  node.append(...children.flat().filter(child => child !== undefined && child !== null).map(child => child instanceof Node ? child : String(child)));
  return node;
}
function svg(tag, properties, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(properties || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
const fill = (node, ...children) => node.replaceChildren(...children.flat().filter(Boolean));
const chip = (text, kind) => el('span', { class: 'chip ' + (kind || '') }, text);
const empty = text => el('p', { class: 'empty' }, text);

/** A table that becomes cards on a phone. Columns: {label, wide, class, cell(row)}. */
function cards(columns, rows) {
  return el('table', { class: 'cards' },
    el('thead', {}, el('tr', {}, columns.map(column => el('th', { class: column.class, 'aria-sort': column.sorted }, column.head || column.label)))),
    el('tbody', {}, rows.map(row => el('tr', {}, columns.map(column =>
      el('td', { 'data-label': column.bare ? undefined : column.label, class: [column.class, column.wide && 'wide'].filter(Boolean).join(' ') }, column.cell(row)))))));
}

/** A bar of a share: a tick at the fair share, another at the best that can be where that is above it. */
function shareBar(share, axis, bound, isOver) {
  const bar = el('div', { class: 'bar' + (isOver ? ' over' : ''), title: times(share) + ' of the fair share' }, el('i'), el('b'));
  bar.firstChild.style.width = Math.min(100, share / axis * 100) + '%';
  bar.lastChild.style.left = 100 / axis + '%';
  if (bound > 1.005) {
    const mark = el('b', { class: 'bound', title: 'at best ' + times(bound) + ': the hottest regions alone' });
    mark.style.left = Math.min(100, bound / axis * 100) + '%';
    bar.append(mark);
  }
  return bar;
}
function localityBar(local, all) {
  const isLocal = all > 0 && local >= all;
  const bar = el('div', { class: 'bar ' + (isLocal ? 'local' : 'remote') }, el('i'));
  bar.firstChild.style.width = all > 0 ? local / all * 100 + '%' : '0';
  return bar;
}
const RACKS = ['#4e79a7', '#e0a030', '#59a14f', '#9c755f', '#b07aa1', '#76b7b2', '#e15759', '#8cb369'];
function rackMark(rack, racks) {
  const mark = el('span', { class: 'rack', title: rack || 'rack not known' });
  mark.style.background = RACKS[racks.indexOf(rack) % RACKS.length];
  return mark;
}
/** Shows the first rows, and the rest on demand; what was opened stays open. */
const LINES_FIRST = innerWidth > 720 ? 8 : 4;
const opened = new Set();
function firstOf(rows, most, key) {
  return opened.has(key) ? rows : rows.slice(0, most);
}
function more(rows, most, key, draw) {
  if (rows.length <= most) return null;
  const isOpen = opened.has(key);
  return el('button', { class: 'linkish', onclick: () => { if (isOpen) opened.delete(key); else opened.add(key); draw(); } },
    isOpen ? 'Show fewer' : 'Show all ' + count(rows.length));
}
