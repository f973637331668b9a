// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One region of 400 reports what no server can have; server 1, which has three times its share, is helped all the same. */
class ImplausibleCountersTest {

    private static final int ABSURD = 7;
    private static final TableId TABLE = new TableId("t");

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);
    private final long[] reads = new long[400];
    private long nowMs = 1_700_000_000_000L;

    private static RegionReport report(int region, long reads, long storeBytes) {
        return new RegionReport(region(region), TABLE, reads, 0, storeBytes);
    }

    private static RegionReport absurd(String kind, int batch, long trueReads) {
        return switch (kind) {
            case "jump" -> report(ABSURD, trueReads + (batch >= 10 ? 1_000_000_000_000_000L : 0), 1 << 30);
            case "overflow" ->
                report(ABSURD, batch < 10 ? Long.MIN_VALUE / 2 - 10 + batch : Long.MAX_VALUE / 2 + 10 + batch, 1 << 30);
            case "every time" -> report(ABSURD, batch * 1_000_000_000_000L, 1 << 30);
            case "negative" -> report(ABSURD, -trueReads, 1 << 30);
            case "negative size" -> report(ABSURD, trueReads, -1);
            case "huge size" -> report(ABSURD, trueReads, Long.MAX_VALUE);
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private void batch(int batch, String kind) {
        nowMs += 60_000;
        List<ServerReport> reports = new ArrayList<>();
        for (int server = 0; server < 10; server++) {
            List<RegionReport> ofServer = new ArrayList<>();
            for (int region = 40 * server; region < 40 * server + 40; region++) {
                reads[region] += server == 1 ? 60 * 300 : 60 * 100;
                ofServer.add(
                        region == ABSURD ? absurd(kind, batch, reads[region]) : report(region, reads[region], 1 << 30));
            }
            reports.add(new ServerReport(server(server), nowMs, ofServer));
        }
        engine.observe(reports, nowMs);
    }

    private Plan plan() {
        ClusterStateBuilder states = engine.view(nowMs);
        for (int server = 0; server < 10; server++) {
            states.add(ServerState.of(server(server)));
            for (int region = 40 * server; region < 40 * server + 40; region++) {
                states.add(server(server), states.region(region(region), region(region), TABLE, LocalBytes.UNKNOWN));
            }
        }
        ClusterState snapshot = states.all();
        return engine.decide("t", snapshot, engine.goals(HBasePlanLimits.of(0.2, snapshot, 1), nowMs), nowMs)
                .plan();
    }

    @ParameterizedTest
    @CsvSource({"jump", "overflow", "every time", "negative", "negative size", "huge size"})
    void theOthersAreBalancedInTheNextRun(String kind) {
        for (int batch = 0; batch < 12; batch++) {
            batch(batch, kind);
        }

        assertThat(plan().moves()).anyMatch(move -> move.from().equals(server(1)));
    }

    @Test
    void theServerIsNamed() {
        for (int batch = 0; batch < 12; batch++) {
            batch(batch, "jump");
        }

        HeatModel.Refused refused = engine.heat().takeRefused();
        assertThat(refused.reports()).isEqualTo(1);
        assertThat(refused.problems())
                .singleElement()
                .asString()
                .startsWith("h100,1,1 reports 1000000000006000 reads")
                .contains("0 writes")
                .endsWith(
                        " of region 00000000000000000000000000000007 of t in 60000 ms; a region has 0 to 2000000 a second."
                                + " What it did in that time is not counted");
        assertThat(engine.heat().takeRefused()).isEqualTo(new HeatModel.Refused(0, List.of()));
    }

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName(String.format("%032x", number));
    }

    private static ServerId server(int number) {
        return new ServerId("h" + (100 + number), 1, 1);
    }
}
