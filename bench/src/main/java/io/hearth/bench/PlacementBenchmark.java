// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.placement.PlacementView;
import io.hearth.balancer.placement.RegionPlacer;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints;
import io.hearth.balancer.placement.RegionPlacer.PlacementConstraints.LoadCap;
import io.hearth.balancer.placement.RegionPlacer.UnassignedRegion;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures where 1,000 regions of ten dead servers land among the 990 others, from cached knowledge: what stands between the
 * death of a server and its regions' opening elsewhere. Each region has three hosts with a replica of its bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 20)
@Fork(value = 3, jvmArgsAppend = "-Xmx2g")
public class PlacementBenchmark {

    private static final int DEAD_SERVERS = 10;
    private static final long BYTES = 1L << 30;
    private static final PlacementConstraints RULES = new PlacementConstraints(
            Map.of(LoadDimension.READS, new LoadCap(1.2, 1), LoadDimension.WRITES, new LoadCap(1.2, 1)), 0.2, 2);

    private final PlacementView view;
    private final List<ServerId> alive = new ArrayList<>();
    private final List<UnassignedRegion> unassigned = new ArrayList<>();
    private final Set<EncodedRegionName> unassignedIds = new HashSet<>();

    /** A snapshot of 1,000 servers with 100,000 regions, of which ten servers die. */
    public PlacementBenchmark() {
        SyntheticServerReports reports =
                new SyntheticServerReports(SyntheticServerReports.SERVERS, SyntheticServerReports.REGIONS);
        List<ServerReport> all = List.copyOf(reports.next());
        view = PlacementView.of(
                Optional.empty(), all, region -> Optional.of(load(region)), server -> 1, reports.nowMs());
        for (int server = 0; server < all.size(); server++) {
            if (server >= DEAD_SERVERS) {
                alive.add(all.get(server).server());
            } else {
                all.get(server).regions().forEach(this::addUnassigned);
            }
        }
    }

    private void addUnassigned(RegionReport region) {
        int number = unassigned.size();
        unassignedIds.add(region.region());
        unassigned.add(new UnassignedRegion(
                region.region(),
                load(region.region()),
                LocalBytes.of(
                        BYTES, Map.of(host(number), BYTES, host(number + 333), BYTES, host(number + 667), BYTES / 2))));
    }

    private static String host(int number) {
        return "host-" + number % SyntheticServerReports.SERVERS + ".example.org";
    }

    private static LoadVector load(EncodedRegionName region) {
        return LoadVector.ofReads(1 + Math.abs(region.hashCode() % 97))
                .withWrites(1 + Math.abs(region.hashCode() % 89))
                .withStoreBytes(BYTES);
    }

    @Benchmark
    public Placement place() {
        return RegionPlacer.place(view.headrooms(alive, Map.of(), unassignedIds), unassigned, RULES);
    }
}
