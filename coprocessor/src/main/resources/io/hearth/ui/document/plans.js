// Plans with their reasons, their predictions against what was observed, and pins.
const OUTCOMES = { PENDING: ['not checked yet', ''], AS_PREDICTED: ['as predicted', 'good'], MISPREDICTED: ['not as predicted', 'bad'], NOT_CARRIED_OUT: ['not every move was made', 'warn'], CLUSTER_CHANGED: ['others changed the cluster', ''], SUPERSEDED: ['next run came too early', ''], MASTER_CHANGED: ['master changed before it was checked', ''] };

function gap(name, outcome) {
  const over = outcome.maxOverMeanAfter / outcome.lowerBound - 1;
  return el('span', { class: 'chip ' + (over <= 0.05 ? 'good' : over <= 0.2 ? 'warn' : 'bad'), title: `no plan comes below ${times(outcome.lowerBound)}` },
    `${name} ${times(outcome.maxOverMeanBefore)} → ${times(outcome.maxOverMeanAfter)}, at best ${times(outcome.lowerBound)}`);
}
function planOf(plan) {
  const key = 'plan' + plan.atMs + plan.scope;
  const shownDimensions = DIMENSIONS.filter(({ name }) => plan.dimensions[name] && plan.dimensions[name].weighed);
  return el('details', { open: opened.has(key) ? '' : undefined, ontoggle: event => event.target.open ? opened.add(key) : opened.delete(key) },
    el('summary', {}, el('span', { class: 'num' }, day(plan.atMs)), ` · ${scopeText(plan.scope)} · ${count(plan.moveCount)} ${plan.moveCount === 1 ? 'move' : 'moves'}${plan.leastMoves ? ` (at least ${plan.leastMoves} in any plan)` : ''}`,
      plan.adviseOnly ? chip('advice only', 'warn') : null, shownDimensions.map(({ name, label }) => gap(label, plan.dimensions[name]))),
    el('pre', {}, plan.explain.join('\n')));
}
function pairs(values) { return Object.entries(values).map(([name, value]) => `${dimensionOf(name).label} ${times(value)}`).join(', ') || '–'; }

function predictions(entries) {
  if (entries.length === 0) return empty('No run has moved anything yet.');
  const newest = [...entries].reverse();
  return [cards([
    { label: 'Run', class: 'num', cell: entry => day(entry.runAtMs) },
    { label: 'Moves', class: 'num', cell: entry => entry.moves + (entry.movesNotMade ? `, ${entry.movesNotMade} not made` : '') },
    { label: 'Outcome', cell: entry => chip(...(OUTCOMES[entry.outcome] || [entry.outcome])) },
    { label: 'Predicted max/mean', wide: true, cell: entry => pairs(entry.predicted) },
    { label: 'Observed', wide: true, cell: entry => pairs(entry.observed) },
  ], firstOf(newest, LINES_FIRST, 'predictions')), more(newest, LINES_FIRST, 'predictions', () => drawPlans(shown))];
}
function besideStock(plans) {
  if (plans.advice.length === 0 && plans.adviceDays.length === 0) return null;
  const days = [...plans.adviceDays].reverse();
  return [el('h3', {}, 'Compared with the stock balancer'), plans.advice.length === 0 ? empty('Neither has had anything to move.') : cards([
    { label: 'Run', class: 'num', cell: run => `${day(run.atMs)} · ${scopeText(run.scope)}` },
    { label: 'Hearth would', wide: true, class: 'text', cell: run => run.hearth.summary },
    { label: 'Stock does', wide: true, class: 'text', cell: run => el('span', { title: run.stock.firstMoves.join('\n') }, `${count(run.stock.moves)} ${run.stock.moves === 1 ? 'move' : 'moves'}; max/mean ${pairs(run.before)} → ${pairs(run.stock.after)}; ${run.stock.costs}`) },
    { label: 'Observed later', wide: true, cell: run => pairs(run.observed) },
  ], plans.advice), days.length === 0 ? null : cards([
    { label: 'Day', class: 'num', cell: of => new Date(of.startMs).toISOString().slice(0, 10) },
    { label: 'Plans with moves', class: 'num', cell: of => `${count(of.plansWithMoves)} of ${count(of.plans)}` },
    { label: 'Stock moves', class: 'num', cell: of => count(of.stockMoves) },
    { label: 'Mean max/mean', wide: true, cell: of => pairs(of.mean) },
    { label: "With Hearth's plans", wide: true, cell: of => pairs(of.meanHearth) },
  ], firstOf(days, LINES_FIRST, 'advice-days')), more(days, LINES_FIRST, 'advice-days', () => drawPlans(shown))];
}
function rejectedStockMoves(plans) {
  if (plans.rejectedStockMoves.length === 0) return null;
  return [el('h3', {}, 'Moves of the stock balancer that were not made'), cards([
    { label: 'Region', wide: true, bare: true, cell: regionName },
    { label: 'From, to', wide: true, class: 'text', cell: move => `${move.from} → ${move.to}` },
    { label: 'Why', wide: true, class: 'text', cell: move => move.why },
    { label: 'At', class: 'num', cell: move => day(move.atMs) },
  ], firstOf(plans.rejectedStockMoves, LINES_FIRST, 'rejected')), more(plans.rejectedStockMoves, LINES_FIRST, 'rejected', () => drawPlans(shown))];
}
function pins(plans) {
  if (plans.pins.length === 0) return empty('No region is pinned.');
  return [cards([
    { label: 'Region', wide: true, bare: true, cell: regionName },
    { label: 'Why', wide: true, class: 'text', cell: pin => [`${pin.why} (${pin.who})`, pin.pin === 'MOVED_MANUALLY' ? [' ', actionButton('Remove', 'remove-pin', { region: pin.region })] : null].flat() },
    { label: 'Since', class: 'num', cell: pin => day(pin.sinceMs) },
    { label: 'Until', class: 'num', cell: pin => day(pin.untilMs) },
  ], firstOf(plans.pins, LINES_FIRST, 'pins')), more(plans.pins, LINES_FIRST, 'pins', () => drawPlans(shown)), plans.pinsLeftOut ? empty(`${plans.pinsLeftOut} more are in the bean HearthBalancerView.`) : null];
}

function drawPlans(page) {
  const { plans, overview } = page;
  fill(at('plans-state'), !overview.balancer.installed ? chip("not Hearth's balancer") : overview.balancer.braked ? chip('braked', 'warn') : overview.balancer.adviseOnly ? chip('advice only', 'warn') : chip('carried out', 'good'));
  fill(at('plans-body'),
    plans.plans.length === 0 ? empty('No plan yet: heat was even at every run, or not known, or the balancer has not run.') : plans.plans.map(planOf),
    planActions(overview), el('h3', {}, 'Predictions'), predictions(plans.predictions), besideStock(plans), rejectedStockMoves(plans), el('h3', {}, 'Pins'), pins(plans));
}
