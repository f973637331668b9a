// Asks the master every five seconds while the page is visible.
const base = location.pathname.replace(/\/+$/, '');
let shown = null, isBusy = false;

async function get(path) {
  const response = await fetch(base + path, { headers: { Accept: 'application/json' } });
  const answer = await response.json().catch(() => ({ problem: 'The answer can not be read (status ' + response.status + ').' }));
  if (!response.ok) throw new Error(answer.problem || 'The master answered ' + response.status + '.');
  return answer;
}
/** A button that waits for a second click is not redrawn. */
const isInUse = () => [...document.querySelectorAll('.btn')].some(button => button.disabled || button.textContent.endsWith('sure?'));

function drawAll() {
  drawOverview(shown);
  drawServers(shown);
  drawHottest(shown);
  drawHealing(shown);
  drawDataNodes(shown);
  drawCaches(shown);
  drawPlans(shown);
  drawDoctor(shown);
}
function tell() {
  if (shown) fill(at('asof'), `as of ${clock(shown.overview.atMs)} · ${count(shown.overview.servers)} servers · ${count(shown.overview.regions)} regions`);
}
async function refresh() {
  if (isBusy) return;
  isBusy = true;
  try {
    shown = await get('/api/page');
    if (!isInUse()) { drawAll(); tell(); }
  } catch (failure) {
    fill(at('asof'), shown ? `not refreshed since ${clock(shown.overview.atMs)}` : 'nothing to show yet');
    fill(at('notices'), el('p', { class: 'notice bad' }, failure.message || 'The master does not answer.'));
  } finally {
    isBusy = false;
    document.body.dataset.drawn = shown ? 'yes' : 'no';
  }
}
for (const link of document.querySelectorAll('footer a')) link.href = base + '/api';
document.querySelector('.navlinks .active').scrollIntoView({ inline: 'end', block: 'nearest' });
startPicture();
askWhoMay().then(refresh);
setInterval(() => { if (!document.hidden) refresh(); }, 5000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
