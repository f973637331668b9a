// What may be asked for: only where the master says so, each asked twice.
let mayAct = false;
/** Elsewhere HBase's own pages are not beside this one. */
let isInMaster = true;
/** How long a first click waits for the second, and an answer is shown: longer than the page is old. */
const SURE_MS = 10000, ANSWER_MS = 6000;

async function askWhoMay() {
  const answer = await get('/api/actions').catch(failure => ({ allowed: false, why: failure.message }));
  mayAct = answer.allowed;
  isInMaster = answer.inMaster !== false;
  if (!isInMaster) document.querySelector('nav').remove();
  fill(at('actions-why'), answer.allowed ? '' : (answer.why || '') + ' ');
}
async function act(action, wish) {
  const response = await fetch(base + '/api/actions/' + action, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-XSRF-HEADER': 'hearth' }, body: JSON.stringify(wish) });
  const answer = await response.json();
  return answer.done || answer.problem;
}
function actionButton(text, action, wish) {
  if (!mayAct) return null;
  const button = el('button', { class: 'btn', 'data-action': action }, text);
  let isSure = false, timer = 0;
  const reset = () => { isSure = false; button.disabled = false; button.textContent = text; };
  button.addEventListener('click', async () => {
    if (!isSure) {
      isSure = true;
      button.textContent = text + ': sure?';
      timer = setTimeout(reset, SURE_MS);
      return;
    }
    clearTimeout(timer);
    button.disabled = true;
    button.textContent = await act(action, wish).catch(failure => failure.message);
    setTimeout(() => { reset(); refresh(); }, ANSWER_MS);
  });
  return button;
}
function rowActions(row) {
  const all = [actionButton('Heal now', 'heal', { region: row.region }), actionButton('Heal the table', 'heal', { table: row.table }),
    row.pin && row.pin.pin === 'MOVED_MANUALLY' ? actionButton('Remove the pin', 'remove-pin', { region: row.region }) : null].filter(Boolean);
  return all.length ? el('div', {}, all) : null;
}
function healingActions(healing) {
  return healing.state === 'PAUSED' || healing.state === 'ALARMED' ? actionButton('Resume healing', 'resume-healing', {}) : actionButton('Pause healing', 'pause-healing', {});
}
function planActions(overview) {
  if (!overview.balancer.installed) return null;
  return overview.balancer.adviseOnly ? actionButton('Act again', 'act', {}) : actionButton('Only advise', 'advise', {});
}
