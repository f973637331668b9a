// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.share.ServerQuantiles;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.NamedMetric;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/**
 * What the balancer counts, in HBase's own metric registry, so that the master's {@code /jmx} and {@code /prometheus} show it
 * under {@code Master,sub=HearthBalancer}. Thread-safe. Masters in one JVM share the counts.
 */
public final class BalancerMetrics {

    /** Where the metrics are found in the global registries. */
    public static final MetricRegistryInfo INFO = new MetricRegistryInfo(
            "HearthBalancer", "Hearth's balancing of heat", "Master,sub=HearthBalancer", "master", false);

    /** The name of the gauge that is 1 while plans are advice only, and 0 otherwise. */
    public static final String ADVICE_ONLY = "adviceOnly";

    /** The name of the gauge that is 1 while HBase lacks what Hearth needs and the stock balancer acts alone, and 0 otherwise. */
    public static final String RESTING = "resting";

    /** The name of the gauge of servers that serve much less than is asked of them. */
    public static final String SUSPECTS = "suspectServers";

    /** The name of the gauge of servers that were restarted again and again. */
    public static final String FLAPPING = "flappingServers";

    /** The name of the gauge that is 1 while an SLO watch brakes, and 0 otherwise. */
    public static final String BRAKED = "braked";

    /** The name of the gauge of servers without a canary region after the last run. */
    public static final String WITHOUT_CANARY = "serversWithoutCanary";

    /** A server whose locality is less than this counts as remote. */
    private static final double LOCAL = 0.8;

    private final Map<BalancerCounter, Counter> counters = new EnumMap<>(BalancerCounter.class);
    private final Map<LoadDimension, AtomicReference<Double>> maxOverMean = new EnumMap<>(LoadDimension.class);
    private final Set<LoadDimension> shownOfRun = EnumSet.noneOf(LoadDimension.class);
    /** Of these by a plan in which the dimension has load enough to matter. */
    private final Set<LoadDimension> weighedOfRun = EnumSet.noneOf(LoadDimension.class);

    private final MetricRegistry registry = MetricRegistries.global().create(INFO);

    public BalancerMetrics() {
        for (BalancerCounter counter : BalancerCounter.values()) {
            counters.put(counter, registry.counter(counter.metric()));
        }
        for (LoadDimension dimension : LoadDimension.values()) {
            AtomicReference<Double> value = new AtomicReference<>(1.0);
            maxOverMean.put(dimension, value);
            show(dimension.gauge(), (Gauge<Double>) value::get);
        }
        showAdviceOnly(() -> false);
        showResting(() -> false);
        showSuspects(() -> 0);
        showFlapping(() -> 0);
        showBraked(() -> false);
        showWithoutCanary(() -> 0);
    }

    /** The registry keeps the first of a name: a second master in this JVM takes the place of one that is gone. */
    private void show(String name, Gauge<?> gauge) {
        registry.remove(name);
        registry.register(name, gauge);
    }

    /** Shows from now on what this says: whether plans are made and none is carried out. */
    public void showAdviceOnly(BooleanSupplier isAdviceOnly) {
        show(ADVICE_ONLY, (Gauge<Integer>) () -> isAdviceOnly.getAsBoolean() ? 1 : 0);
    }

    /** Shows from now on what this says: whether HBase lacks what Hearth needs, so that the stock balancer acts alone. */
    public void showResting(BooleanSupplier isResting) {
        show(RESTING, (Gauge<Integer>) () -> isResting.getAsBoolean() ? 1 : 0);
    }

    /** Shows from now on how many servers this says are suspect. */
    public void showSuspects(IntSupplier suspects) {
        show(SUSPECTS, (Gauge<Integer>) suspects::getAsInt);
    }

    /** Shows from now on how many servers this says flap. */
    public void showFlapping(IntSupplier flapping) {
        show(FLAPPING, (Gauge<Integer>) flapping::getAsInt);
    }

    /** Shows from now on what this says: whether an SLO watch has plans rest. */
    public void showBraked(BooleanSupplier isBraked) {
        show(BRAKED, (Gauge<Integer>) () -> isBraked.getAsBoolean() ? 1 : 0);
    }

    /** Shows from now on how many servers this says have no canary region. */
    public void showWithoutCanary(IntSupplier servers) {
        show(WITHOUT_CANARY, (Gauge<Integer>) servers::getAsInt);
    }

    /**
     * Shows this from now on: how local and how loaded servers are. What no server tells has no value, and no gauge: HBase's {@code /jmx} can't
     * show one that is no number.
     */
    public void showServers(ServerQuantiles servers) {
        for (ServerGauge gauge : serverGauges()) {
            OptionalDouble value = gauge.value().apply(servers);
            if (value.isPresent()) {
                double shown = value.getAsDouble();
                show(gauge.metric(), (Gauge<Double>) () -> shown);
            } else {
                registry.remove(gauge.metric());
            }
        }
    }

    /**
     * A gauge of what the servers have at the last look at their reports.
     *
     * @param value what it shows; empty where no server tells
     */
    public record ServerGauge(
            String metric, String unit, String doc, Function<ServerQuantiles, OptionalDouble> value) {}

    /** The gauges over servers: of locality the low quantiles, of load the high ones. */
    public static List<ServerGauge> serverGauges() {
        List<ServerGauge> gauges = new ArrayList<>(List.of(
                new ServerGauge(
                        "localityMin",
                        "0 to 1",
                        "Locality of the least local server, by bytes of store files.",
                        servers -> servers.locality().min()),
                new ServerGauge(
                        "localityP25",
                        "0 to 1",
                        "Locality that three of four servers have at least.",
                        servers -> servers.locality().quantile(0.25)),
                new ServerGauge(
                        "localityP50",
                        "0 to 1",
                        "Locality that half of the servers have at least.",
                        servers -> servers.locality().quantile(0.5)),
                new ServerGauge(
                        "remoteServers",
                        "servers",
                        "Servers whose locality is less than 0.8.",
                        servers -> servers.locality().count() == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(servers.locality().below(LOCAL)))));
        for (LoadDimension dimension : LoadDimension.values()) {
            gauges.add(shareGauge(dimension, "P50", 0.5, "half of the servers have"));
            gauges.add(shareGauge(dimension, "P90", 0.9, "nine of ten servers have"));
            gauges.add(shareGauge(dimension, "Max", 1, "every server has"));
        }
        return gauges;
    }

    private static ServerGauge shareGauge(LoadDimension dimension, String suffix, double share, String who) {
        return new ServerGauge(
                dimension.gauge("Share" + suffix),
                "fair shares",
                "Share of " + dimension.label() + " that " + who + " at most.",
                servers -> servers.shares(dimension).quantile(share));
    }

    /** So many canary regions move. */
    public void canariesMoved(int moves) {
        add(BalancerCounter.CANARY_MOVES, moves);
    }

    /**
     * A run of the balancer begins, over all groups of servers: the most uneven of its plans is shown from now on, of those in which
     * the dimension has load enough to matter where there is one.
     */
    public void runBegins() {
        shownOfRun.clear();
        weighedOfRun.clear();
    }

    /** A plan was made: how uneven its servers were, and how many moves it asks for. Runs come one at a time. */
    public void planned(Plan plan) {
        add(BalancerCounter.PLANS, 1);
        add(BalancerCounter.MOVES_PLANNED, plan.moves().size());
        add(BalancerCounter.BYTES_AT_TARGETS, plan.heal().bytesAtTargets());
        maxOverMean.forEach((dimension, gauge) -> show(gauge, dimension, plan.outcome(dimension)));
    }

    private void show(AtomicReference<Double> gauge, LoadDimension dimension, DimensionOutcome outcome) {
        boolean isFirst = shownOfRun.add(dimension);
        if (outcome.weighed() && weighedOfRun.add(dimension)) {
            gauge.set(outcome.maxOverMeanBefore());
        } else if (outcome.weighed() || !weighedOfRun.contains(dimension)) {
            gauge.accumulateAndGet(outcome.maxOverMeanBefore(), (shown, now) -> isFirst ? now : Math.max(shown, now));
        }
    }

    /** Planning failed, and the stock plan was used. */
    public void planFailed() {
        add(BalancerCounter.PLAN_FAILURES, 1);
    }

    /** The servers' reports could not be read. */
    public void reportFailed() {
        add(BalancerCounter.REPORT_FAILURES, 1);
    }

    /** So many reports of regions were not believed. */
    public void reportsRefused(int count) {
        add(BalancerCounter.REPORTS_REFUSED, count);
    }

    /** A cost function failed and counted as 0. */
    public void costFailed() {
        add(BalancerCounter.COST_FAILURES, 1);
    }

    /** The NameNode could not be asked where a region's blocks are. */
    public void localityFailed() {
        add(BalancerCounter.LOCALITY_FAILURES, 1);
    }

    /** So many moves of a stock plan are made. */
    public void stockMoves(int moves) {
        add(BalancerCounter.STOCK_MOVES, moves);
    }

    /** A stock plan would have made heat uneven and was not used. */
    public void stockPlanRefused() {
        add(BalancerCounter.STOCK_PLANS_REFUSED, 1);
    }

    /** Regions landed by Hearth's word and not by the stock balancer's. */
    public void placed(Placement placement) {
        add(BalancerCounter.REGIONS_PLACED, placement.regions().size());
        add(BalancerCounter.REGIONS_PLACED_BY_BYTES, placement.count(Placement.Reason.MOST_BYTES));
        add(BalancerCounter.REGIONS_PLACED_WITHOUT_ROOM, placement.count(Placement.Reason.NO_HEADROOM));
    }

    /** Regions could not be placed, and landed as with the stock balancer. */
    public void placementFailed() {
        add(BalancerCounter.PLACEMENT_FAILURES, 1);
    }

    /** What is kept for the next master could not be written or read. */
    public void storeFailed() {
        add(BalancerCounter.STORE_FAILURES, 1);
    }

    /** What the balancer knows could not be shown in JMX. */
    public void viewFailed() {
        add(BalancerCounter.VIEW_FAILURES, 1);
    }

    /** So many values or keys of the configuration can't be used. */
    public void configProblemsFound(int count) {
        add(BalancerCounter.CONFIG_PROBLEMS, count);
    }

    private void add(BalancerCounter counter, long count) {
        Objects.requireNonNull(counters.get(counter)).increment(count);
    }

    /** What the balancer counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
    public enum BalancerCounter implements NamedMetric {
        PLANS("plans", "Plans made, also those without moves."),
        MOVES_PLANNED("movesPlanned", "Moves of those plans."),
        BYTES_AT_TARGETS("bytesAtTargets", "Bytes of those moves' regions that their new hosts had already."),
        CANARY_MOVES("canaryMoves", "Moves of canary regions, which are in no plan."),
        STOCK_MOVES("stockMoves", "Moves of the stock balancer's plans that are made."),
        PLAN_FAILURES("planFailures", "Times that planning failed and stock's plan was used."),
        REPORT_FAILURES("reportFailures", "Times that the servers' reports could not be read."),
        REPORTS_REFUSED("reportsRefused", "Reports of a region with requests or sizes that no server can have."),
        COST_FAILURES("costFailures", "Times that a cost failed and counted as 0, or could not be shown."),
        LOCALITY_FAILURES("localityFailures", "Regions whose blocks the NameNode could not locate."),
        STOCK_PLANS_REFUSED(
                "stockPlansRefused", "Plans of the stock balancer not used because they would have made heat uneven."),
        CONFIG_PROBLEMS("configProblems", "Values and keys of the configuration that can't be used."),
        STORE_FAILURES("storeFailures", "Times that the state for the next HMaster could not be written or read."),
        VIEW_FAILURES("viewFailures", "Times that the state could not be shown in JMX."),
        REGIONS_PLACED("regionsPlaced", "Regions of dead or new servers that Hearth placed."),
        REGIONS_PLACED_BY_BYTES("regionsPlacedByBytes", "Those placed on the server with most of their bytes."),
        REGIONS_PLACED_WITHOUT_ROOM("regionsPlacedWithoutRoom", "Those for which no server was below its limits."),
        PLACEMENT_FAILURES(
                "placementFailures", "Times that placing failed and regions landed as with the stock balancer.");

        private final MetricText text;

        BalancerCounter(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }
}
