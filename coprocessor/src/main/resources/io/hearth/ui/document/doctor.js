// The doctor: what to fix, what it costs, the lines to change. What could not be read is one line, since it is much the same everywhere.
const SEVERITY_KIND = { ERROR: 'bad', WARNING: 'warn', INFO: '', UNKNOWN: '' };
const FINDINGS_FIRST = 6;

function fix(one) {
  if (one.key) {
    return el('p', {}, el('span', { class: 'muted' }, `Change ${one.file} of the ${one.process}s, then ${one.then}: `),
      el('code', {}, one.line));
  }
  return el('p', {}, el('span', { class: 'muted' }, one.command ? 'Run: ' : 'Do: '), one.command ? el('code', {}, one.command) : one.advice + '.');
}
function finding(one) {
  const where = one.where.length > 4 ? `${one.where.slice(0, 4).join(', ')} and ${one.where.length - 4} more` : one.where.join(', ');
  return el('details', { class: 'finding' },
    el('summary', {}, chip(one.severity.toLowerCase(), SEVERITY_KIND[one.severity]), ' ' + one.what, where ? el('span', { class: 'muted' }, ' ' + where) : null),
    el('p', {}, el('span', { class: 'muted' }, 'Costs: '), one.cost), one.fixes.map(fix), el('p', { class: 'muted' }, 'Source: ' + one.source));
}
/** Any reader of the page may start the doctor: it changes nothing, and runs once a minute at most. */
function askNow() {
  const button = el('button', { class: 'btn', id: 'doctor-ask' }, 'Run now');
  button.addEventListener('click', async () => {
    button.disabled = true;
    const response = await fetch(base + '/api/doctor/ask', { method: 'POST', headers: { 'X-XSRF-HEADER': 'hearth' } }).catch(() => null);
    button.textContent = response && response.ok ? 'Started' : 'Not started';
    setTimeout(() => { button.disabled = false; refresh(); }, 1500);
  });
  return button;
}
function drawDoctor(page) {
  const { atMs, askedAtMs, asking, findings } = page.doctor;
  const known = findings.filter(one => one.severity !== 'UNKNOWN'), unread = findings.filter(one => one.severity === 'UNKNOWN');
  const toFix = known.filter(one => one.severity !== 'INFO').length;
  fill(at('doctor-state'), KNOWN(atMs) ? [chip(toFix ? `${count(toFix)} to fix` : 'nothing to fix', toFix ? 'warn' : 'good'), ` as of ${day(atMs)}`] : '',
    asking ? ` asking every process since ${clock(askedAtMs)} …` : KNOWN(atMs) ? [' · runs every ten minutes while this page is open ', askNow()] : KNOWN(askedAtMs) ? [` ran at ${clock(askedAtMs)} and could not examine the cluster: the log says why `, askNow()] : ' has not run yet');
  if (document.querySelector('#doctor-body details[open]')) return;
  fill(at('doctor-body'),
    known.length ? firstOf(known, FINDINGS_FIRST, 'findings').map(finding) : KNOWN(atMs) ? empty('Nothing was found.') : empty('It asks every process for its configuration, which takes some seconds.'),
    more(known, FINDINGS_FIRST, 'findings', () => drawDoctor(shown)),
    unread.length ? el('p', { class: 'legend muted' }, `Could not be read: ${[...new Set(unread.map(one => one.check))].join(', ')}. bin/hearth doctor says why.`) : null);
}
