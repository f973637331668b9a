package io.hearth.balancer.hbase;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.plan.Plan;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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

    private final Counter plans;
    private final Counter movesPlanned;
    private final Counter planFailures;
    private final Counter reportFailures;
    private final Counter costFailures;
    private final Counter localityFailures;
    private final Counter stockPlansRefused;
    private final Counter configProblems;
    private final Counter storeFailures;
    private final Counter viewFailures;
    private final Counter regionsPlaced;
    private final Counter regionsPlacedByBytes;
    private final Counter regionsPlacedWithoutRoom;
    private final Counter placementFailures;
    private final Map<LoadDimension, AtomicReference<Double>> maxOverMean = new EnumMap<>(LoadDimension.class);

    public BalancerMetrics() {
        MetricRegistry registry = MetricRegistries.global().create(INFO);
        plans = registry.counter("plans");
        movesPlanned = registry.counter("movesPlanned");
        planFailures = registry.counter("planFailures");
        reportFailures = registry.counter("reportFailures");
        costFailures = registry.counter("costFailures");
        localityFailures = registry.counter("localityFailures");
        stockPlansRefused = registry.counter("stockPlansRefused");
        configProblems = registry.counter("configProblems");
        storeFailures = registry.counter("storeFailures");
        viewFailures = registry.counter("viewFailures");
        regionsPlaced = registry.counter("regionsPlaced");
        regionsPlacedByBytes = registry.counter("regionsPlacedByBytes");
        regionsPlacedWithoutRoom = registry.counter("regionsPlacedWithoutRoom");
        placementFailures = registry.counter("placementFailures");
        gauge(registry, LoadDimension.READS, "readsMaxOverMean");
        gauge(registry, LoadDimension.WRITES, "writesMaxOverMean");
        gauge(registry, LoadDimension.STORE_SIZE, "storeSizeMaxOverMean");
        gauge(registry, LoadDimension.MEMSTORE, "memstoreMaxOverMean");
    }

    private void gauge(MetricRegistry registry, LoadDimension dimension, String name) {
        AtomicReference<Double> value = new AtomicReference<>(1.0);
        maxOverMean.put(dimension, value);
        // The registry keeps the first of a name: a second master in this JVM takes the place of one that is gone.
        registry.remove(name);
        registry.register(name, (Gauge<Double>) value::get);
    }

    /** A plan was made: how uneven the cluster was, and how many moves it asks for. */
    public void planned(Plan plan) {
        plans.increment();
        movesPlanned.increment(plan.moves().size());
        plan.maxOverMeanBefore().forEach((dimension, value) -> {
            AtomicReference<Double> gauge = maxOverMean.get(dimension);
            if (gauge != null) {
                gauge.set(value);
            }
        });
    }

    /** Planning failed, and the stock plan was used. */
    public void planFailed() {
        planFailures.increment();
    }

    /** The servers' reports could not be read. */
    public void reportFailed() {
        reportFailures.increment();
    }

    /** A cost function failed and counted as 0. */
    public void costFailed() {
        costFailures.increment();
    }

    /** The NameNode could not be asked where a region's blocks are. */
    public void localityFailed() {
        localityFailures.increment();
    }

    /** A stock plan would have made heat uneven and was not used. */
    public void stockPlanRefused() {
        stockPlansRefused.increment();
    }

    /** Regions landed by Hearth's word and not by the stock balancer's. */
    public void placed(Placement placement) {
        regionsPlaced.increment(placement.regions().size());
        regionsPlacedByBytes.increment(placement.count(Placement.Because.MOST_BYTES));
        regionsPlacedWithoutRoom.increment(placement.count(Placement.Because.NO_ROOM));
    }

    /** Regions could not be placed, and landed as with the stock balancer. */
    public void placementFailed() {
        placementFailures.increment();
    }

    /** What is kept for the next master could not be written or read. */
    public void storeFailed() {
        storeFailures.increment();
    }

    /** What the balancer knows could not be shown in JMX. */
    public void viewFailed() {
        viewFailures.increment();
    }

    /** So many values or keys of the configuration can't be used. */
    public void configProblemsFound(int count) {
        configProblems.increment(count);
    }
}
