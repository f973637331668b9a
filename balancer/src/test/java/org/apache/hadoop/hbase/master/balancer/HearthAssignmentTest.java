// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.placement.Placement;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HearthAssignmentTest {

    private static final TableName TABLE = TableName.valueOf("t");
    private static final ServerName A = server("a", 1);
    private static final ServerName B = server("b", 1);
    private static final ServerName C = server("c", 1);
    private static final ServerName DEAD = server("dead", 1);
    private static final List<ServerName> ABC = List.of(A, B, C);

    private final FakeCluster cluster = new FakeCluster();
    private final HearthAssignment assignment = new HearthAssignment(cluster);
    private final List<RegionInfo> toldStock = new ArrayList<>();
    private double readsOfRegion = 100;

    private static ServerName server(String host, long startCode) {
        return ServerName.valueOf(host, 16020, startCode);
    }

    private static RegionInfo region(TableName table, int number) {
        return RegionInfoBuilder.newBuilder(table)
                .setStartKey(Bytes.toBytes(String.format("%04d", number)))
                .setEndKey(Bytes.toBytes(String.format("%04d", number + 1)))
                .setRegionId(1)
                .build();
    }

    private static List<RegionInfo> regions(TableName table, int count) {
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            regions.add(region(table, number));
        }
        return regions;
    }

    @AfterEach
    void nothingFailsUnseen() {
        assertThat(cluster.failures).noneMatch(failure -> failure instanceof RuntimeException);
    }

    @BeforeEach
    void configure() {
        configure(Map.of());
    }

    private void configure(Map<String, String> settings) {
        BalancerConfig config = BalancerConfig.read("hbase-site.xml", new MapSettings(settings), key -> true);
        assignment.configure(config, config.enabled(), 0.2);
    }

    /** Everybody reports; DEAD has the regions of the table, the others ten each of another. */
    private void publish(Collection<RegionInfo> ofDead, ServerName... others) {
        List<ServerReport> reports = new ArrayList<>();
        reports.add(report(DEAD, ofDead));
        int first = 0;
        for (ServerName other : others) {
            List<RegionInfo> own = new ArrayList<>();
            for (int number = first; number < first + 10; number++) {
                own.add(region(TableName.valueOf("other"), number));
            }
            first += 10;
            reports.add(report(other, own));
        }
        assignment.publish(
                ReportBatch.ofAll(reports), region -> Optional.of(LoadVector.ofReads(readsOfRegion)), server -> 1);
    }

    private static ServerReport report(ServerName server, Collection<RegionInfo> regions) {
        return new ServerReport(
                HBaseNames.server(server),
                0,
                regions.stream()
                        .map(region -> new RegionReport(
                                HBaseNames.region(region), HBaseNames.table(region.getTable()), 0, 0, 0))
                        .toList());
    }

    /** A stock balancer that gives everything to the last server. */
    private Map<ServerName, List<RegionInfo>> stock(Collection<RegionInfo> regions, List<ServerName> servers) {
        toldStock.addAll(regions);
        Map<ServerName, List<RegionInfo>> all = new HashMap<>();
        servers.forEach(server -> all.put(server, List.of()));
        if (!servers.isEmpty()) {
            all.put(servers.get(servers.size() - 1), List.copyOf(regions));
        }
        return all;
    }

    private Map<RegionInfo, ServerName> roundRobin(List<RegionInfo> regions, List<ServerName> servers)
            throws HBaseIOException {
        return flat(assignment.roundRobinAssignment(regions, servers, this::stock));
    }

    private Map<RegionInfo, ServerName> retain(Map<RegionInfo, ServerName> regions, List<ServerName> servers)
            throws HBaseIOException {
        return flat(assignment.retainAssignment(regions, servers, (left, among) -> stock(left.keySet(), among)));
    }

    private static Map<RegionInfo, ServerName> flat(Map<ServerName, List<RegionInfo>> regionsByServer) {
        Map<RegionInfo, ServerName> serverByRegion = new HashMap<>();
        regionsByServer.forEach((server, regions) -> regions.forEach(
                region -> assertThat(serverByRegion.put(region, server)).isNull()));
        return serverByRegion;
    }

    @Test
    void regionsOfADeadServerGoWhereTheirBytesAre() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        cluster.local(regions.get(0), "a");
        cluster.local(regions.get(1), "b");
        cluster.local(regions.get(2), "a");
        publish(regions, A, B, C);

        assertThat(roundRobin(regions, ABC)).isEqualTo(Map.of(regions.get(0), A, regions.get(1), B, regions.get(2), A));
        assertThat(toldStock).isEmpty();
        assertThat(cluster.placed).isEqualTo(3);
    }

    @Test
    void whatIsInDoubtIsLeftToStockRegionByRegion() throws Exception {
        TableName replicated = TableName.valueOf("replicated");
        cluster.replicated.add(replicated);
        RegionInfo known = region(TABLE, 0);
        List<RegionInfo> doubtful = List.of(
                region(TABLE, 77),
                region(TableName.valueOf("hbase:quota"), 0),
                region(replicated, 0),
                RegionReplicaUtil.getRegionInfoForReplica(region(TABLE, 0), 1));
        doubtful.subList(1, 4).forEach(region -> cluster.local(region, "a"));
        cluster.local(known, "a");
        publish(List.of(known, doubtful.get(1), doubtful.get(2)), A, B, C);

        List<RegionInfo> all = new ArrayList<>(doubtful);
        all.add(known);
        Map<RegionInfo, ServerName> placed = roundRobin(all, ABC);

        assertThat(placed.get(known)).isEqualTo(A);
        assertThat(toldStock).containsExactlyInAnyOrderElementsOf(doubtful);
        assertThat(placed.keySet()).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void stockDecidesWhereTheViewOrTheServersAreInDoubt() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 2);
        regions.forEach(region -> cluster.local(region, "a"));
        Set<RegionInfo> both = Set.copyOf(regions);

        assertThat(roundRobin(regions, ABC).values()).as("no view yet").containsOnly(C);
        publish(regions, A, B, C);
        assertThat(roundRobin(regions, ABC)).containsValue(A);

        toldStock.clear();
        assertThat(roundRobin(regions, List.of(C)).keySet()).isEqualTo(both);
        assertThat(roundRobin(regions, List.of(C, server("x", 1), server("y", 1)))
                        .values())
                .as("most are new")
                .containsOnly(server("y", 1));
        cluster.master = A;
        assertThat(roundRobin(regions, ABC).values())
                .as("the master is among them")
                .containsOnly(C);
        cluster.master = DEAD;
        cluster.nowMs = 600_001;
        assertThat(roundRobin(regions, ABC).values()).as("too old").containsOnly(C);
        cluster.nowMs = 0;
        configure(Map.of("hearth.balancer.placement.enabled", "false"));
        assertThat(roundRobin(regions, ABC).values()).as("switched off").containsOnly(C);
        configure(Map.of("hearth.balancer.enabled", "false"));
        assertThat(roundRobin(regions, ABC).values()).as("all switched off").containsOnly(C);

        assertThat(toldStock).hasSize(12);
        assertThat(cluster.failures).isEmpty();
    }

    /** Broken (they are placed like others): stock, which knows nothing of them, gives them all to C. */
    @Test
    void canaryRegionsGoToServersThatHaveNone() throws Exception {
        List<RegionInfo> canaries = regions(FakeCluster.CANARY, 4);
        cluster.serverByCanary.put(canaries.get(0), A);
        cluster.serverByCanary.put(canaries.get(1), DEAD);
        cluster.serverByCanary.put(canaries.get(2), DEAD);

        assertThat(roundRobin(canaries.subList(1, 3), ABC).values())
                .as("no view is needed")
                .containsExactlyInAnyOrder(B, C);
        assertThat(retain(Map.of(canaries.get(1), DEAD, canaries.get(0), A), List.of(A, B)))
                .as("what keeps its host is stock's to answer")
                .containsEntry(canaries.get(1), B);
        cluster.serverByCanary.put(canaries.get(1), B);
        assertThat(assignment.randomAssignment(canaries.get(2), ABC, (region, servers) -> servers.get(0)))
                .isEqualTo(C);
    }

    @Test
    void suspicionDoesNotKeepACanaryAwayAndStockPlacesItWhereHearthDoesNot() throws Exception {
        List<RegionInfo> canaries = regions(FakeCluster.CANARY, 1);
        assignment.suspected(Set.of(HBaseNames.server(A)));

        assertThat(roundRobin(canaries, ABC)).isEqualTo(Map.of(canaries.get(0), A));
        configure(Map.of("hearth.balancer.mode", "off"));
        assertThat(roundRobin(canaries, ABC)).isEqualTo(Map.of(canaries.get(0), C));
        configure(Map.of());
        assertThat(roundRobin(canaries, List.of(C))).isEqualTo(Map.of(canaries.get(0), C));
        cluster.master = A;
        assertThat(roundRobin(canaries, ABC)).as("the master is among them").isEqualTo(Map.of(canaries.get(0), C));
    }

    @Test
    void emptyListsAreStocksToAnswer() throws Exception {
        publish(List.of(), A, B, C);

        assertThat(assignment.roundRobinAssignment(List.of(), ABC, this::stock)).containsOnlyKeys(ABC);
        assertThat(assignment.roundRobinAssignment(regions(TABLE, 1), List.of(), this::stock))
                .isEmpty();
        assertThat(assignment.randomAssignment(region(TABLE, 0), null, (region, servers) -> null))
                .isNull();
        assertThat(assignment.retainAssignment(Map.of(region(TABLE, 0), A), null, (left, among) -> Map.of()))
                .isEmpty();
    }

    @Test
    void whatCanStayStaysByStocksOwnRule() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "b"));
        readsOfRegion = 1; // too little to matter: only the number of regions is capped
        List<ServerName> servers = new ArrayList<>(List.of(A, B));
        for (int server = 0; server < 7; server++) {
            servers.add(server("more" + server, 1));
        }
        publish(regions, servers.toArray(ServerName[]::new));
        ServerName restarted = server("c", 2);
        servers.add(restarted);
        Map<RegionInfo, ServerName> before = new HashMap<>();
        before.put(regions.get(0), C);
        before.put(regions.get(1), DEAD);
        before.put(regions.get(2), null);

        Map<RegionInfo, ServerName> placed = retain(before, servers);

        assertThat(toldStock).containsExactly(regions.get(0));
        assertThat(placed).isEqualTo(Map.of(regions.get(0), restarted, regions.get(1), B, regions.get(2), B));
    }

    @Test
    void oneRegionAfterTheOtherDoesNotFillOneServer() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 12);
        regions.forEach(region -> cluster.local(region, "a"));
        publish(regions, A, B, C);

        Map<ServerName, Long> taken = new HashMap<>();
        for (RegionInfo region : regions) {
            ServerName server = assignment.randomAssignment(region, ABC, (one, servers) -> {
                assertThat(servers).as("stock is asked about our choice alone").hasSize(1);
                return servers.get(0);
            });
            taken.merge(server, 1L, Long::sum);
        }
        // 42 regions at most 1.2 times the mean of 14: nobody may have more than 16.8, so 17 - 1.
        assertThat(taken.get(A)).as("%s", taken).isBetween(4L, 7L);
        assertThat(taken.values()).as("%s", taken).allMatch(count -> count <= 7);
    }

    @Test
    void ourFailureIsCountedAndStockAnswers() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 1);
        cluster.local(regions.get(0), "a");
        publish(regions, A, B, C);
        cluster.descriptorsFail = true;

        assertThat(roundRobin(regions, ABC).values()).containsExactly(C);
        assertThat(cluster.failures).singleElement().isInstanceOf(IOException.class);
    }

    @Test
    void stocksFailureIsStocks() {
        publish(List.of(), A, B, C);
        HBaseIOException failure = new HBaseIOException("no servers");

        assertThatThrownBy(() -> assignment.roundRobinAssignment(regions(TABLE, 1), ABC, (regions, servers) -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(cluster.failures).isEmpty();
    }

    @Test
    void aLookIsGoodForTenMinutesAndTheNextOneRemembersIt() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 1);
        cluster.local(regions.get(0), "a");
        publish(regions, A, B, C);
        cluster.nowMs = 1;
        publish(List.of(), A, B, C);
        cluster.nowMs = 600_002;
        assertThat(roundRobin(regions, ABC).values()).as("it is too old").containsExactly(C);

        publish(List.of(), A, B, C);
        assertThat(roundRobin(regions, ABC).values())
                .as("it remembers the heat")
                .containsExactly(A);
    }

    @Test
    void aClockThatWasSetBackDoesNotKeepTheViewFromBeingTaken() {
        AtomicInteger looks = new AtomicInteger();
        List<ServerReport> reports = List.of(report(A, regions(TABLE, 1)));
        for (long nowMs : new long[] {1_000_000, 1_000_001, 0, 1}) {
            cluster.nowMs = nowMs;
            assignment.publish(
                    ReportBatch.ofAll(reports),
                    region -> {
                        looks.incrementAndGet();
                        return Optional.empty();
                    },
                    server -> 1);
        }

        assertThat(looks).as("every report that is read is looked at once").hasValue(4);
        assignment.publish(
                new ReportBatch(List.of(), Map.of(HBaseNames.server(A), 0L)),
                region -> {
                    looks.incrementAndGet();
                    return Optional.empty();
                },
                server -> 1);
        assertThat(looks).as("nothing was read").hasValue(4);
    }

    /** HBase asks again after each failed open; the region's bytes are all on A. */
    @Test
    void aRegionThatDidNotOpenIsSentElsewhereAndThenLeftToStock() throws Exception {
        List<RegionInfo> one = regions(TABLE, 1);
        cluster.local(one.get(0), "a");
        publish(List.of(), A, B, C);

        assertThat(roundRobin(one, ABC)).containsValue(A);
        ServerName second = roundRobin(one, ABC).get(one.get(0));
        assertThat(second).isNotEqualTo(A);
        assertThat(toldStock).isEmpty();
        roundRobin(one, ABC);
        assertThat(toldStock).as("the third time").containsExactly(one.get(0));

        cluster.nowMs += 601_000;
        publish(List.of(), A, B, C);
        assertThat(roundRobin(one, ABC)).as("it is forgotten").containsValue(A);
    }

    /** A new table: neither heat nor bytes are known, so stock places it, and would draw the same server again. */
    @Test
    void aRegionOfWhichNothingIsKnownAvoidsTheServerToo() throws Exception {
        RegionInfo unknown = region(TABLE, 77);
        publishOnly(A, B, C);
        assertThat(roundRobin(List.of(unknown), ABC)).containsValue(C);
        assertThat(roundRobin(List.of(unknown), ABC)).containsValue(B);
        assertThat(roundRobin(List.of(unknown), ABC)).as("left to stock").containsValue(C);
        RegionInfo other = region(TABLE, 78);
        assertThat(assignment.randomAssignment(other, ABC, (region, among) -> among.get(among.size() - 1)))
                .isEqualTo(C);
        assertThat(assignment.randomAssignment(other, ABC, (region, among) -> among.get(among.size() - 1)))
                .isEqualTo(B);
    }

    private void publishOnly(ServerName... servers) {
        assignment.publish(
                ReportBatch.ofAll(Arrays.stream(servers)
                        .map(server -> report(server, List.of()))
                        .toList()),
                region -> Optional.empty(),
                server -> 1);
    }

    @Test
    void aRegionThatOpenedThereAndIsAskedAboutAgainHasNotFailed() throws Exception {
        List<RegionInfo> one = regions(TABLE, 1);
        cluster.local(one.get(0), "a");
        publish(List.of(), A, B, C);

        for (int time = 0; time < 5; time++) {
            assertThat(roundRobin(one, ABC)).containsValue(A);
            cluster.openSeqNum++;
        }
        assertThat(excluded()).isEmpty();
    }

    @Test
    void aServerThatIsGoneIsNotToBlame() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "a"));
        publish(List.of(), A, B, C);
        roundRobin(regions, ABC);
        roundRobin(regions, List.of(B, C));

        assertThat(excluded()).isEmpty();
    }

    @Test
    void aServerOnWhichThreeRegionsDidNotOpenIsGivenNothingForTenMinutes() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "a"));
        RegionInfo other = region(TABLE, 9);
        cluster.local(other, "a");
        publish(List.of(), A, B, C);
        assertThat(roundRobin(regions, ABC)).containsValue(A);
        roundRobin(regions, ABC);

        assertThat(excluded())
                .containsExactly(
                        Map.entry(HBaseNames.server(A), "3 regions did not open there in the last 10 minutes"));
        assertThat(cluster.excluded).containsExactly(HBaseNames.server(A));
        assertThat(roundRobin(List.of(other), ABC)).doesNotContainValue(A);
        RegionInfo unknown = region(TABLE, 77);
        assertThat(flat(assignment.roundRobinAssignment(List.of(unknown), List.of(B, A), this::stock)))
                .as("stock, which gives all to the last server")
                .containsValue(B);
        assertThat(assignment.roundRobinAssignment(
                        List.of(region(TableName.META_TABLE_NAME, 1)), List.of(B, A), this::stock))
                .as("a system table")
                .containsKey(A);

        cluster.nowMs += 600_001;
        assertThat(excluded()).isEmpty();
    }

    private Map<ServerId, String> excluded() {
        return assignment.excludedServers(ABC.stream().map(HBaseNames::server).collect(Collectors.toSet()));
    }

    /** The master asks for the target of a move by retainAssignment, and where else its region is to go if it did not open there. */
    @Test
    void whatDidNotOpenAfterAMoveCountsToo() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "a"));
        publish(List.of(), A, B, C);
        Map<RegionInfo, ServerName> targets = new HashMap<>();
        regions.forEach(region -> targets.put(region, A));
        assignment.retainAssignment(targets, ABC, (left, among) -> stockKeeps(left));
        assertThat(roundRobin(regions, ABC)).doesNotContainValue(A);

        assertThat(excluded()).containsOnlyKeys(HBaseNames.server(A));
    }

    private static Map<ServerName, List<RegionInfo>> stockKeeps(Map<RegionInfo, ServerName> serverByRegion) {
        Map<ServerName, List<RegionInfo>> kept = new HashMap<>();
        serverByRegion.forEach((region, server) ->
                kept.computeIfAbsent(server, first -> new ArrayList<>()).add(region));
        return kept;
    }

    /** It was sent to A and is open there: somebody asks where else it may go. */
    @Test
    void aRegionThatIsOpenHasNotFailed() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "a"));
        publish(List.of(), A, B, C);
        assertThat(roundRobin(regions, ABC)).containsValue(A);
        cluster.open.addAll(regions);
        for (RegionInfo region : regions) {
            assignment.randomAssignment(region, ABC, (any, among) -> among.get(0));
        }

        assertThat(excluded()).isEmpty();
    }

    @Test
    void aSuspectServerIsGivenNothingOfADeadOneWhileOthersCanTakeIt() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "a"));
        RegionInfo unknown = region(TABLE, 77);
        publish(regions, A, B, C);
        assertThat(roundRobin(regions, ABC)).containsValue(A);
        assignment.suspected(Set.of(HBaseNames.server(A)));
        cluster.openSeqNum++; // they opened, and are asked about for another reason

        assertThat(roundRobin(regions, ABC)).hasSize(3).doesNotContainValue(A);
        cluster.openSeqNum++;
        assertThat(assignment.randomAssignment(regions.get(0), ABC, (one, servers) -> servers.get(0)))
                .isNotEqualTo(A);
        assertThat(assignment.randomAssignment(unknown, ABC, (one, servers) -> servers.get(0)))
                .as("stock chooses")
                .isNotEqualTo(A);
        cluster.openSeqNum++;
        assertThat(roundRobin(List.of(unknown), List.of(B, A)))
                .as("stock, which gives all to the last server")
                .isEqualTo(Map.of(unknown, B));

        cluster.openSeqNum++;
        assertThat(roundRobin(List.of(unknown, regions.get(0)), List.of(A)))
                .as("nobody else is there")
                .isEqualTo(Map.of(unknown, A, regions.get(0), A));
        RegionInfo meta = region(TableName.META_TABLE_NAME, 1);
        assertThat(roundRobin(List.of(meta), List.of(B, A)))
                .as("a system table")
                .isEqualTo(Map.of(meta, A));
        assignment.suspected(Set.of());
        RegionInfo another = region(TABLE, 78);
        cluster.local(another, "a");
        assertThat(roundRobin(List.of(another), ABC)).as("it is well again").containsValue(A);
    }

    @Test
    void whatKeepsItsHostStaysOnASuspectServerAndWhatHasNoneGoesElsewhere() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 2);
        regions.forEach(region -> cluster.local(region, "a"));
        RegionInfo unknown = region(TABLE, 77);
        publish(regions, A, B, C);
        assignment.suspected(Set.of(HBaseNames.server(A)));
        Map<RegionInfo, ServerName> before = Map.of(regions.get(0), A, regions.get(1), DEAD, unknown, DEAD);

        Map<RegionInfo, ServerName> placed = new HashMap<>();
        assignment
                .retainAssignment(before, List.of(B, C, A), (left, among) -> {
                    Map<ServerName, List<RegionInfo>> byServer = new HashMap<>();
                    left.forEach((region, server) -> byServer.computeIfAbsent(
                                    among.contains(server) ? server : among.get(among.size() - 1),
                                    first -> new ArrayList<>())
                            .add(region));
                    return byServer;
                })
                .forEach((server, given) -> given.forEach(region -> placed.put(region, server)));

        assertThat(placed).containsOnlyKeys(before.keySet());
        assertThat(placed.get(regions.get(0))).as("it keeps its host").isEqualTo(A);
        assertThat(placed.get(regions.get(1))).as("by its bytes it would be A").isNotEqualTo(A);
        assertThat(placed.get(unknown)).as("by lot among the others").isEqualTo(C);
    }

    /**
     * A rack is gone, and a server that is left is suspect. HBase has one thread that assigns. Broken (lost regions are looked up in a
     * list): a million comparisons.
     */
    @Test
    void whatItTakesToPlaceManyRegionsGrowsWithTheirNumber() throws Exception {
        publish(List.of(), A, B, C);
        assignment.suspected(Set.of(HBaseNames.server(A)));
        AtomicInteger comparisons = new AtomicInteger();
        Map<RegionInfo, ServerName> lost = new HashMap<>();
        for (int number = 0; number < 1_000; number++) {
            lost.put(counting(region(TABLE, number), comparisons), DEAD);
        }

        Map<RegionInfo, ServerName> placed = retain(lost, List.of(B, A, C));

        assertThat(placed).hasSize(1_000).doesNotContainValue(A);
        assertThat(comparisons).hasValueLessThan(5_000);
    }

    /** The same region, of which it is counted how often it is compared. */
    private static RegionInfo counting(RegionInfo region, AtomicInteger comparisons) {
        return (RegionInfo) Proxy.newProxyInstance(
                RegionInfo.class.getClassLoader(), new Class<?>[] {RegionInfo.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("equals")) {
                        comparisons.incrementAndGet();
                    }
                    return method.invoke(region, arguments);
                });
    }

    /** What they share is sick then, and regions have to be somewhere. */
    @Test
    void whereMostServersAreSuspectNobodyIsPassedOver() throws Exception {
        List<RegionInfo> regions = regions(TABLE, 3);
        regions.forEach(region -> cluster.local(region, "a"));
        publish(regions, A, B, C);
        assignment.suspected(Set.of(HBaseNames.server(A), HBaseNames.server(B)));

        assertThat(roundRobin(regions, ABC)).containsValue(A);
    }

    @Test
    void suspicionThatNoReportHasRenewedEnds() throws Exception {
        RegionInfo unknown = region(TABLE, 77);
        publish(List.of(), A, B, C);
        assignment.suspected(Set.of(HBaseNames.server(A)));
        cluster.nowMs = 600_001;

        assertThat(roundRobin(List.of(unknown), List.of(B, A))).isEqualTo(Map.of(unknown, A));
    }

    /** What the tests say the cluster is like. */
    private static final class FakeCluster implements HearthAssignment.Cluster {

        private static final TableName CANARY = TableName.valueOf("hearth_canary");

        private final Map<RegionInfo, ServerName> serverByCanary = new HashMap<>();
        private final Map<RegionInfo, LocalBytes> local = new HashMap<>();
        private final Set<TableName> replicated = new HashSet<>();
        private final List<Throwable> failures = new ArrayList<>();
        private ServerName master = DEAD;
        private boolean descriptorsFail;
        private long nowMs;
        private long openSeqNum;
        private final List<ServerId> excluded = new ArrayList<>();
        private final Set<RegionInfo> open = new HashSet<>();
        private int placed;

        void local(RegionInfo region, String host) {
            local.put(region, LocalBytes.of(100, Map.of(host, 100L)));
        }

        @Override
        public long nowMs() {
            return nowMs;
        }

        @Override
        public LocalBytes localBytes(RegionInfo region) {
            return local.getOrDefault(region, LocalBytes.UNKNOWN);
        }

        @Override
        public boolean hasReplicas(TableName table) throws IOException {
            if (descriptorsFail) {
                throw new IOException("no descriptors");
            }
            return replicated.contains(table);
        }

        @Override
        public boolean isMaster(ServerName server) {
            return server.equals(master);
        }

        @Override
        public long openSeqNum(RegionInfo region) {
            return openSeqNum;
        }

        @Override
        public boolean isOpen(RegionInfo region) {
            return open.contains(region);
        }

        @Override
        public boolean isCanary(TableName table) {
            return table.equals(CANARY);
        }

        @Override
        public Map<RegionInfo, ServerName> serverByRegion(TableName table) {
            return serverByCanary;
        }

        @Override
        public void excluded(ServerId server, String why) {
            excluded.add(server);
        }

        @Override
        public void placed(Placement placement) {
            placed += placement.regions().size();
        }

        @Override
        public void failed(Throwable failure) {
            failures.add(failure);
        }
    }
}
