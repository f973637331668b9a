// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.StockPlanReview;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.plan.UnmovedReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.NotCompliantMBeanException;
import javax.management.StandardMBean;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class BalancerViewTest {

    private static final byte[] META = Bytes.toBytes("hbase:meta,,1");
    private static final ServerName SERVER = ServerName.valueOf("a", 16020, 1);
    private static final Map<ServerName, ServerMetrics> REPORTS = Map.of(
            SERVER,
            ServerMetricsBuilder.newBuilder(SERVER)
                    .setRegionMetrics(List.of(RegionMetricsBuilder.newBuilder(META)
                            .setStoreFileSize(new Size(2, Size.Unit.MEGABYTE))
                            .build()))
                    .build());

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);
    private Optional<String> whyResting = Optional.empty();
    private final BalancerView view =
            new BalancerView(engine, () -> 5, () -> REPORTS, CanaryTable.NONE, () -> whyResting);

    /** The master's /jmx page renders every attribute for everybody who looks at anything. */
    @Test
    void whatMayBeLargeIsAnOperation() throws NotCompliantMBeanException {
        MBeanInfo info = new StandardMBean(view, BalancerViewMXBean.class, true).getMBeanInfo();

        assertThat(names(info.getAttributes()))
                .containsExactlyInAnyOrder(
                        "Mode",
                        "LastPlan",
                        "PlanSummariesJson",
                        "AdviceJson",
                        "AdviceDaysJson",
                        "PinsJson",
                        "PredictionsJson",
                        "FlappingServers");
        assertThat(names(info.getOperations()))
                .containsExactlyInAnyOrder(
                        "plansJson",
                        "rejectedStockMovesJson",
                        "adviceRunsJson",
                        "removePin",
                        "snapshotOfLastPlan",
                        "clusterStateJson");
    }

    @Test
    void theModeOfABalancerThatRestsIsThatItRestsAndWhy() {
        assertThat(view.getMode()).isEqualTo("act");

        whyResting = Optional.of("NoSuchMethodError: gone.");

        assertThat(view.getMode()).isEqualTo("resting: NoSuchMethodError: gone.");
    }

    @Test
    void aServerThatWasRestartedThreeTimesIsNamedByItsPlace() {
        for (int restart = 0; restart <= 3; restart++) {
            assertThat(view.getFlappingServers()).isEmpty();
            ServerId server = new ServerId("a", 16020, 1 + restart);
            engine.observe(new ReportBatch(List.of(), Map.of(server, 1L)), 0, restart);
        }

        assertThat(view.getFlappingServers()).containsExactly("a:16020");
    }

    private static String[] names(MBeanFeatureInfo[] features) {
        return Arrays.stream(features).map(MBeanFeatureInfo::getName).toArray(String[]::new);
    }

    @Test
    void aPinCanBeRemoved() {
        ServerId from = new ServerId("a", 16020, 1);
        ServerId to = new ServerId("b", 16020, 1);
        engine.tracker().regionMovedManually(new EncodedRegionName("r"), new TableId("t"), from, to, "ann", false, 0);
        assertThat(view.getPinsJson()).contains("\"who\":\"ann\"");

        assertThat(view.removePin("r")).isTrue();
        assertThat(view.removePin("r")).isFalse();
        assertThat(view.getPinsJson()).isEqualTo("[]");
    }

    @Test
    void thereIsNothingToShowBeforeTheFirstPlan() {
        assertThat(view.getMode()).isEqualTo("act");
        assertThat(view.getLastPlan()).isEmpty();
        assertThat(view.getPlanSummariesJson()).isEqualTo("[]");
        assertThat(view.plansJson()).isEqualTo("[]");
        assertThat(view.rejectedStockMovesJson()).isEqualTo("[]");
        assertThat(view.snapshotOfLastPlan()).isEmpty();
    }

    @Test
    void aMoveOfTheStockBalancersThatWasNotMadeIsShownWithItsReason() {
        RejectedStockMove move = new RejectedStockMove(
                7,
                new EncodedRegionName("r"),
                new TableId("ns:t"),
                new ServerId("a", 16020, 1),
                new ServerId("b", 16020, 1),
                UnmovedReason.COOL_DOWN,
                UnmovedReason.COOL_DOWN.text());
        engine.stockPlanReviewed(
                new StockPlanReview(new TreeMap<>(), new TreeMap<>(Map.of(move.region(), move)), Optional.empty()));

        assertThat(view.rejectedStockMovesJson())
                .isEqualTo(
                        "[{\"atMs\":7,\"region\":\"r\",\"table\":\"ns:t\",\"from\":\"a,16020,1\",\"to\":\"b,16020,1\","
                                + "\"reason\":\"COOL_DOWN\",\"why\":\"it was moved a short while ago\"}]");
    }

    /** The form is that of the page and of the snapshot file, so its reader reads it; of regions there are the totals alone. */
    @Test
    void theStateIsTheOneFormWithoutRegions() throws Exception {
        String json = view.clusterStateJson();

        ClusterState state = ClusterStateJson.read(JsonPathValue.parse(new StringReader(json)));
        assertThat(state.atMs()).isEqualTo(5);
        assertThat(state.servers()).singleElement().satisfies(server -> {
            assertThat(server.server()).isEqualTo(new ServerId("a", 16020, 1));
            assertThat(server.regions()).isEmpty();
            assertThat(server.totals().regions()).isEqualTo(1);
            assertThat(server.totals().unknownHeat()).isEqualTo(1);
            assertThat(server.totals().reported()).isEqualTo(new StoreFileBytes(2 << 20, 0, 0));
        });
    }
}
