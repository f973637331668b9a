// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static io.hearth.ui.model.PageFixtures.page;
import static io.hearth.ui.model.PageFixtures.region;
import static io.hearth.ui.model.PageFixtures.server;
import static io.hearth.ui.model.PageFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.hbase.ClusterStateJson;
import io.hearth.balancer.hbase.JsonPathValue;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import io.hearth.ui.config.UiSettings.UiConfig;
import io.hearth.ui.model.Page;
import io.hearth.ui.model.PageBuilder;
import io.hearth.ui.model.PageFixtures;
import io.hearth.ui.model.PageInput;
import io.hearth.ui.model.PageInput.DoctorReport;
import io.hearth.ui.model.PageInput.HealerStatus;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

class PageJsonTest {

    /** HBase allows no such name; a page that trusts that is a page that waits for the day when it does. */
    private static final String HOSTILE = "</script><img src=x onerror=alert(1)>\"'\\\u2028";

    private static final Page PAGE = page(
            server("a", "/r1", 1, region("abc", HOSTILE, 300, 20.5), region("def", "t", 100, 0)),
            server("b", "/r2", 1, unknown("012", "t", 2_048, 512)));

    /** The page's state is the form that the snapshot file has, and its reader reads it. */
    @Test
    void theStateIsTheOneFormWithSharesBesideIt() throws Exception {
        String json = ApiResource.STATE.json(PAGE);

        assertThat(json)
                .startsWith(
                        "{\"format\":\"hearth-cluster-state\",\"version\":3,\"atMs\":1000000,\"source\":\"a test\","
                                + "\"hbaseVersion\":\"unknown\",\"servers\":[{\"host\":\"a\",\"port\":16020,\"startCode\":1,\"rack\":\"/r1\","
                                + "\"capacity\":1.0,\"mayReceiveRegions\":true,\"draining\":false,\"totals\":{\"regions\":2,\"unknownHeat\":0,")
                .contains(
                        "\"measuredLoad\":{\"readsPerSecond\":400.0,\"writesPerSecond\":20.5,",
                        "\"storeBytes\":2.147483648E9,\"memstoreBytes\":0.0},"
                                + "\"recentRequestsPerSecond\":420.5,\"reported\":{\"storeBytes\":2147483648,\"localBytes\":2147483648,\"blockBytes\":2147483648}},"
                                + "\"name\":\"a:16020\",\"readShare\":2.0,\"writeShare\":2.0,",
                        "\"storeShare\":2.0},{\"host\":\"b\"",
                        "\"reported\":{\"storeBytes\":2048,\"localBytes\":512,\"blockBytes\":2048}},"
                                + "\"name\":\"b:16020\",\"readShare\":0.0,\"writeShare\":0.0,")
                .endsWith("\"storeShare\":0.0}]}");
        ClusterState read = ClusterStateJson.read(JsonPathValue.parse(new StringReader(json)));
        assertThat(read.server(0).totals())
                .isEqualTo(PAGE.input().cluster().server(0).totals());
        assertThat(read.server(0).regions()).isEmpty();
    }

    /** The page's rows go by rack, and those that are being emptied come last. */
    @Test
    void theStatesServersAreInItsOwnOrder() {
        Page page = page(
                server("a", "/r2", 1).beingDrained(),
                server("b", "/r2", 1, region("abc", "t", 300, 20)),
                server("c", "/r1", 1));

        assertThat(page.servers()).extracting(row -> row.server().host()).containsExactly("c", "b", "a");
        assertThat(PageJson.state(page).getAsJsonArray("servers"))
                .extracting(server -> server.getAsJsonObject().get("name").getAsString())
                .containsExactly("a:16020", "b:16020", "c:16020");
    }

    @Test
    void theOverviewSaysHowEvenAndHowMuchIsLocal() {
        assertThat(ApiResource.OVERVIEW.json(PAGE))
                .startsWith(
                        "{\"atMs\":1000000,\"master\":\"m:16000\",\"servers\":2,\"regions\":3,\"unknownHeat\":1,\"halfLifeMs\":300000,\"draining\":0,"
                                + "\"localBytes\":2147484160,\"blockBytes\":2147485696,\"balance\":[{\"dimension\":\"readsPerSecond\","
                                + "\"label\":\"reads\",\"unit\":\"ops/s\",\"total\":400.0,\"last\":400.0,\"meanPerServer\":200.0,\"maxOverMean\":2.0,"
                                + "\"hottest\":\"a:16020\",\"lowerBound\":1.5,\"lowerBoundRegions\":1,\"trigger\":1.1,\"state\":\"UNBALANCED\"}")
                .endsWith(
                        "\"balancer\":{\"installed\":true,\"enabled\":true,\"switchedOn\":true,\"excludedServers\":[]},"
                                + "\"healing\":{\"installed\":false,\"state\":\"NOT_INSTALLED\"}}");
    }

    @Test
    void theServersThatAreGivenNoRegionsAreNamedWithTheReasonAndSinceWhen() {
        Page excluded = PageFixtures.excluded(
                List.of(
                        new ExcludedServers.ExcludedServer(
                                new ServerId("a", 16020, 1), "it is sick", OptionalLong.of(700_000)),
                        new ExcludedServers.ExcludedServer(
                                new ServerId("b", 16020, 1), "3 regions did not open", OptionalLong.empty())),
                server("a", "/r1", 1, region("abc", "t", 300, 20.5)));

        assertThat(ApiResource.OVERVIEW.json(excluded))
                .contains("\"excludedServers\":[{\"name\":\"a:16020\",\"why\":\"it is sick\",\"sinceMs\":700000},"
                        + "{\"name\":\"b:16020\",\"why\":\"3 regions did not open\"}]");
    }

    @Test
    void aHostileNameStaysText() {
        String json = ApiResource.HOTTEST.json(PAGE);

        assertThat(JsonParser.parseString(json)
                        .getAsJsonArray()
                        .get(0)
                        .getAsJsonObject()
                        .get("table")
                        .getAsString())
                .isEqualTo(HOSTILE);
        assertThat(json).contains("\"recentRequestsPerSecond\":[null,12.3]").doesNotContain("\u2028");
        assertThat(ApiResource.TREEMAP.json(PAGE)).contains("onerror=alert(1)>\\\"'\\\\\\u2028\"");
    }

    @Test
    void theReadCachesOfDataNodesAreBesideWhatTheDoctorFound() {
        PageInput input = PAGE.input();
        DoctorReport report = new DoctorReport(
                OptionalLong.empty(),
                false,
                OptionalLong.of(5_000),
                List.of(),
                List.of(
                        new NodeReadCache(
                                HOSTILE,
                                new ProbedReadCache(
                                        Mode.ON,
                                        new CacheSsd(false, 1, 1_000, 1_000),
                                        600,
                                        400,
                                        new CacheDay(172_800_000, 1_990, 10, 300))),
                        new NodeReadCache(
                                "b",
                                new ProbedReadCache(
                                        Mode.SHADOW,
                                        new CacheSsd(false, 0, 2_000, 2_000),
                                        0,
                                        0,
                                        new CacheDay(1_000, 0, 0, 0)))));
        Page page = PageBuilder.build(
                new PageInput(
                        input.cluster(), input.master(), input.weights(), input.balancer(), input.healing(), report),
                region -> List.of());

        String json = ApiResource.DOCTOR.json(page);

        assertThat(json)
                .contains(
                        "\"mode\":\"on\",\"trouble\":\"switched off: its SSD failed\",\"ssdBytes\":600,\"diskBytes\":400,"
                                + "\"hitRatio\":0.995,\"writtenBytesPerDay\":150,\"maxBytes\":1000}",
                        "{\"host\":\"b\",\"mode\":\"shadow\",\"ssdBytes\":0,\"diskBytes\":0,\"writtenBytesPerDay\":0,"
                                + "\"maxBytes\":2000}")
                .doesNotContain("\u2028");
        assertThat(JsonParser.parseString(json)
                        .getAsJsonObject()
                        .getAsJsonArray("readCaches")
                        .get(0)
                        .getAsJsonObject()
                        .get("host")
                        .getAsString())
                .isEqualTo(HOSTILE);
        assertThat(ApiResource.DOCTOR.json(PAGE)).contains("\"readCaches\":[]");
    }

    @Test
    void cellsAreColumns() {
        Page small = page(server(
                "a",
                "/r1",
                1,
                region("1", "t", 0.1234, 0),
                region("2", "u", 99.96, 12_345.678),
                unknown("3", "t", 0, 0)));

        assertThat(ApiResource.TREEMAP.json(small))
                .isEqualTo(
                        "{\"atMs\":1000000,\"leftOut\":0,\"servers\":[{\"name\":\"a:16020\",\"rack\":\"/r1\",\"first\":0}],"
                                + "\"table\":[0,1,0],\"kib\":[1048576,1048576,0],\"requests\":[0.123,12446,-1],\"local\":[100,100,-1],"
                                + "\"tables\":[\"t\",\"u\"]}");
    }

    @Test
    void aHundredThousandCellsAreNoMoreThanThreeMegabytes() {
        RegionState[] regions = new RegionState[100_000];
        for (int index = 0; index < regions.length; index++) {
            regions[index] = region("%032x".formatted(index), "t" + index % 40, index / 7.0, 0);
        }

        assertThat(ApiResource.TREEMAP.json(page(server("a", "/r1", 1, regions))))
                .hasSizeLessThan(3_000_000);
    }

    /** Nothing is left to do for any of them, however many there are; only the names of the first are told. */
    @Test
    void whatIsLocalAndNotReportedIsNotLeftToHeal() {
        RegionState[] regions = new RegionState[2_500];
        List<ServedRegion> notReported = new ArrayList<>();
        for (int index = 0; index < regions.length; index++) {
            String name = "%032x".formatted(index);
            regions[index] = unknown(name, "t", 1_000, 0);
            notReported.add(new ServedRegion(
                    new EncodedRegionName(name),
                    new TableId("t"),
                    ServedRegion.HealRank.USER,
                    ServedRegion.TableHealingMode.ON,
                    new ServerId("a", 16020, 1),
                    Optional.of(new ServedRegion.ReportedLocality(0, 1_000))));
        }
        PageInput input = page(server("a", "/r1", 1, regions)).input();
        HealerStatus healing = new HealerStatus(
                true,
                HealerStatus.State.ON,
                Optional.empty(),
                0,
                0,
                OptionalDouble.of(0),
                Map.of(),
                Map.of(),
                List.of(),
                notReported,
                List.of());

        JsonObject json = JsonParser.parseString(ApiResource.HEALING.json(PageBuilder.build(
                        new PageInput(
                                input.cluster(),
                                input.master(),
                                input.weights(),
                                input.balancer(),
                                healing,
                                input.doctor()),
                        region -> List.of())))
                .getAsJsonObject();

        assertThat(json.get("remoteBytes").getAsLong()).isZero();
        assertThat(json.get("estimatedHealMs").getAsLong()).isZero();
        assertThat(json.getAsJsonArray("busiest")).isEmpty();
        assertThat(json.getAsJsonArray("localNotReported")).hasSize(2_000);
    }

    /** Whose limit it is that holds healing back, so that an operator knows what to raise; not while healing makes room for others. */
    @Test
    void whatHoldsHealingBackSaysWhoseLimitItIs() {
        assertThat(heldBack(HealLimit.DATANODE_BANDWIDTH, 0, 0))
                .containsExactly(
                        "bandwidth of DataNodes",
                        "at most what they allow: hdfs dfsadmin -setBalancerBandwidth raises it");
        assertThat(heldBack(HealLimit.DATANODE_BANDWIDTH, 1_000, 0))
                .containsExactly(
                        "bandwidth of DataNodes",
                        "at most hearth.heal.datanode.bandwidth, or what they allow where that is less");
        assertThat(heldBack(HealLimit.DATANODE_BANDWIDTH, 0, 1)).containsExactly("bandwidth of DataNodes", null);
        assertThat(heldBack(HealLimit.RACK_BANDWIDTH, 0, 0)).containsExactly("uplinks of racks", null);
    }

    @Test
    void unhealthyDataNodesAreNamedWithSinceWhenAndWhy() {
        PageInput input = page(server("a", "/r1", 1)).input();
        HealerStatus healing = new HealerStatus(
                true,
                HealerStatus.State.ON,
                Optional.empty(),
                0,
                0,
                OptionalDouble.empty(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of(new UnhealthyHost("host1", DataNodeState.SUSPECT, 7_000, "answers late")));
        Page page = PageBuilder.build(
                new PageInput(
                        input.cluster(), input.master(), input.weights(), input.balancer(), healing, input.doctor()),
                region -> List.of());

        assertThat(ApiResource.HEALING.json(page))
                .contains("\"unhealthyDataNodes\":[{\"host\":\"host1\",\"state\":\"SUSPECT\",\"sinceMs\":7000,"
                        + "\"why\":\"answers late\"}]");
        assertThat(ApiResource.HEALING.json(page(server("a", "/r1", 1)))).contains("\"unhealthyDataNodes\":[]");
    }

    private static List<String> heldBack(HealLimit limit, long dataNodeLimit, long throttleReasons) {
        PageInput input = page(server("a", "/r1", 1)).input();
        HealerStatus healing = new HealerStatus(
                true,
                HealerStatus.State.ON,
                Optional.empty(),
                0,
                dataNodeLimit,
                OptionalDouble.empty(),
                Map.of(),
                Map.of(HealingGauge.LIMITED_BY, (long) limit.ordinal(), HealingGauge.THROTTLE_REASONS, throttleReasons),
                List.of(),
                List.of(),
                List.of());
        PageInput withHealing = new PageInput(
                input.cluster(), input.master(), input.weights(), input.balancer(), healing, input.doctor());
        JsonObject json = JsonParser.parseString(
                        ApiResource.HEALING.json(PageBuilder.build(withHealing, region -> List.of())))
                .getAsJsonObject();
        return Stream.of("heldBackBy", "heldBackHint")
                .map(field -> json.has(field) ? json.get(field).getAsString() : null)
                .toList();
    }

    @Test
    void everyViewIsListedAndAnswersAndNothingElseDoes() {
        PublishedPage published = new PublishedPage(PAGE, new UiConfig(true, false, 60_000));

        assertThat(ReadRequestHandler.get("/hearth/api", Map.of(), published).body())
                .contains("/hearth/api/treemap");
        for (ApiResource resource : ApiResource.values()) {
            ApiResponse answer = ReadRequestHandler.get("/hearth/api/" + resource.path() + "/", Map.of(), published);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(JsonParser.parseString(answer.body()).isJsonNull()).isFalse();
        }
        assertThat(ReadRequestHandler.get("/hearth/api/CELLS", Map.of(), published)
                        .body())
                .isEqualTo(
                        "{\"problem\":\"There is no /hearth/api/CELLS. /hearth/api lists everything that there is.\"}");
        assertThat(ReadRequestHandler.get("/hearth/api/cell", Map.of("at", "1000000", "index", "2"), published)
                        .body())
                .isEqualTo("{\"region\":\"012\"}");
        assertThat(ReadRequestHandler.get("/hearth/api/cell", Map.of("at", "1000000", "index", "3"), published)
                        .body())
                .isEqualTo(
                        "{\"problem\":\"at must be the atMs of /hearth/api/treemap, and index a number from 0 to below 3.\"}");
        assertThat(ReadRequestHandler.get("/hearth/api/cell", Map.of("at", "5", "index", "0"), published)
                        .body())
                .isEqualTo("{\"problem\":\"These cells are out of date: read the treemap again.\"}");
    }

    /** A master keeps the page of all its regions until the next one is made. */
    @Test
    void everyViewIsTheSameOfAPageWithoutItsRegions() {
        Page published = PAGE.withoutRegions();

        for (ApiResource resource : ApiResource.values()) {
            assertThat(resource.json(published)).as(resource.path()).isEqualTo(resource.json(PAGE));
        }
        assertThat(published.servers())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.state().regions()).isEmpty());
        assertThat(published.input().cluster().regionCount()).isZero();
    }
}
