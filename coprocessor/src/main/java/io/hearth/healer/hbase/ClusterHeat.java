// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.hbase.ClusterMetricsReader;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.hbase.OpenSeqNumSource;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.common.model.EncodedRegionName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The heat of a cluster's regions: in a master the balancer's where it is Hearth's, or else what is learnt here from the same
 * reports by the same model. Asks nobody. Used by the healing loop's thread alone.
 */
public final class ClusterHeat implements RegionHeats {

    /** How often reports are learnt from: rates need no more, and 100,000 regions take tens of milliseconds. */
    private static final long LEARN_EVERY_MS = 60_000;

    private final Configuration conf;
    private final LongSupplier nanoTime;
    private Optional<HeatModel> own = Optional.empty();
    private long learntMs;

    /**
     * @param conf a master's own configuration object, by whose identity its balancer is found, or any other
     * @param nanoTime a clock that nobody sets, in nanoseconds
     */
    public ClusterHeat(Configuration conf, LongSupplier nanoTime) {
        this.conf = conf;
        this.nanoTime = nanoTime;
    }

    /** Takes in the servers' last reports, where nobody else does. */
    public void learn(Map<ServerName, ServerMetrics> online) {
        if (MasterComponentRegistry.regionHeats(conf).isPresent()) {
            own = Optional.empty();
            return;
        }
        long nowMs = EnvironmentEdgeManager.currentTime();
        // What was learnt after now, by a clock that was set back, is old.
        if (own.isEmpty() || nowMs < learntMs || nowMs - learntMs >= LEARN_EVERY_MS) {
            learntMs = nowMs;
            HeatModel model = own.orElseGet(this::newModel);
            own = Optional.of(model);
            model.update(
                    ReportBatch.ofAll(ClusterMetricsReader.read(online, OpenSeqNumSource.UNKNOWN)),
                    nowMs,
                    TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong()));
        }
    }

    @Override
    public RegionHeat heat(EncodedRegionName region) {
        return MasterComponentRegistry.regionHeats(conf)
                .or(() -> own)
                .map(heats -> heats.heat(region))
                .orElseGet(() -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED));
    }

    private HeatModel newModel() {
        return new HeatModel(BalancerConfig.read("hbase-site.xml", new ConfigurationSettings(conf), key -> true)
                .heat());
    }
}
