package io.hearth.bench.cluster;

import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.NetworkMode;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;

/** The cluster that a variant runs on. */
final class VariantClusterSpec {

    /** In memory: on one disk for all of them, hosts would wait for each other. It takes what is stored. */
    private static final int DISK_MEGABYTES = 4_096;

    private static final String NEVER = "1000";

    /**
     * In every variant: the balancer looks often and searches for less than a second, which takes one of few processors from the servers;
     * servers report often, and files that were compacted away go at once.
     */
    private static final Map<String, String> COMMON = Map.of(
            "hbase.balancer.period", "10000",
            "hbase.master.balancer.stochastic.maxSteps", "20000",
            "hbase.balancer.statusPeriod", "1000",
            "hbase.hfile.compaction.discharger.interval", "1000");

    private static final Map<String, String> HEARTH_SETTINGS = FastTimings.with(Map.of(
            // Regions have stayed for longer than that before healing is asked for.
            "hearth.heal.region.stable.ms", "0",
            // What the load is to do here is to change: no run is to be judged by the load of after it.
            "hearth.balancer.prediction.tolerance.factor", "100"));

    /** Of the table: nothing is compacted but what is told to be. */
    static final Map<String, String> TABLE = Map.of(
            CompactionConfiguration.HBASE_HSTORE_COMPACTION_MIN_KEY, NEVER, HConstants.MAJOR_COMPACTION_PERIOD, "0");

    private VariantClusterSpec() {}

    static ClusterSpec of(Variant variant, Scale scale) {
        Map<String, String> settings = new HashMap<>(COMMON);
        if (variant == Variant.HEARTH) {
            settings.putAll(HEARTH_SETTINGS);
        }
        settings.putAll(scale.settings());
        return new ClusterSpec(
                scale.hosts(),
                Scale.RACKS,
                1,
                1,
                NetworkMode.NAMESPACES,
                scale.latencyMs(),
                0,
                DISK_MEGABYTES,
                false,
                false,
                variant == Variant.HEARTH,
                settings);
    }
}
