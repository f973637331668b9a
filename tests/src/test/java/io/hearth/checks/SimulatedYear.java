// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.heat.ingest.ReportReadScheduler;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.balancer.placement.FailedOpens;
import io.hearth.balancer.placement.PlacementView;
import io.hearth.balancer.placement.RecentPlacements;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.ui.history.RequestRateHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.balancer.SimulatedLocations;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a cluster lives through, on simulated time, with everything of the balancer that remembers: every day tables are made and
 * dropped, a server restarts with a new start code and its regions land elsewhere, a region is split, two are merged, a person
 * moves some; every hour the balancer runs, and six times a day it only advises and the stock balancer moves a region in its place.
 * The bytes of a region that was moved become local within the hour. The cluster at the end of each day is as large as at its
 * beginning. Not thread-safe.
 */
final class SimulatedYear {

    static final int POLLS_PER_DAY = 144;
    private static final long POLL_MS = 600_000;
    private static final int SERVERS = 6;
    private static final int REGIONS = 60;
    private static final int TABLES_A_DAY = 8;
    private static final int ADVISES_EVERY_POLLS = 24;
    private static final long STORE_BYTES = 1L << 30;

    /** As many as the page keeps a history of. */
    private static final int HOTTEST = 20;

    private static final TableId TABLE = new TableId("orders");

    private final Random random;
    private final BalanceEngine engine;
    private final ReportReadScheduler<ServerId> readScheduler = new ReportReadScheduler<>();
    private final RecentPlacements recent = new RecentPlacements();
    private final FailedOpens failedOpens = new FailedOpens();
    private final RequestRateHistory rates = new RequestRateHistory();
    private Optional<PlacementView> view = Optional.empty();

    private final ServerId[] servers = new ServerId[SERVERS];
    private final Map<EncodedRegionName, Served> regions = new TreeMap<>();
    private final SimulatedLocations locations = locationsOf(regions);
    private long nowMs = 1_700_000_000_000L;
    private long made;
    private int moves;
    private int located;

    /** One region: where it is, where its bytes are, what it serves a second, and its counters. */
    private static final class Served {

        private final RegionInfo info;
        private final TableId table;
        private final String startKey;
        private final long madeMs;
        private final double perSecond;
        private int server;
        private int writtenOn;
        private long opening = 1;
        private double requests;

        Served(RegionInfo info, TableId table, String startKey, long madeMs, double perSecond, int server) {
            this.info = info;
            this.writtenOn = server;
            this.table = table;
            this.startKey = startKey;
            this.madeMs = madeMs;
            this.perSecond = perSecond;
            this.server = server;
        }

        /** Three replicas, the first of which is where it was written. */
        HDFSBlocksDistribution blocks() {
            HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
            String[] hosts = IntStream.of(0, 1, 3)
                    .mapToObj(next -> host((writtenOn + next) % SERVERS))
                    .toArray(String[]::new);
            blocks.addHostsAndBlockWeight(hosts, STORE_BYTES, null);
            return blocks;
        }

        float locality() {
            return blocks().getBlockLocalityIndex(host(server));
        }
    }

    private static String host(int server) {
        return "host" + server;
    }

    /** Of these regions alone, so that nothing else is reached from what is measured. */
    private static SimulatedLocations locationsOf(Map<EncodedRegionName, Served> regions) {
        return new SimulatedLocations(
                region -> Optional.ofNullable(regions.get(HBaseNames.region(region)))
                        .map(Served::blocks)
                        .orElseGet(HDFSBlocksDistribution::new),
                () -> regions.values().stream().map(served -> served.info).toList());
    }

    SimulatedYear(long seed) {
        random = new Random(seed);
        engine = new BalanceEngine(
                BalancerConfig.read("a test", new MapSettings(Map.of()), key -> true), new DirectedPlanner()::plan);
        for (int server = 0; server < SERVERS; server++) {
            start(server);
        }
        for (int region = 0; region < REGIONS; region++) {
            make(TABLE, String.format(Locale.ROOT, "row%03d", region), nowMs - POLL_MS);
        }
    }

    /** One day, at the end of which no table of that day is left and all of its regions have been gone for hours. */
    void day() {
        List<EncodedRegionName> ofTheDay = List.of();
        for (int poll = 0; poll < POLLS_PER_DAY; poll++) {
            nowMs += POLL_MS;
            switch (poll) {
                case 10 -> ofTheDay = makeTables();
                case 30 -> restart();
                case 50 -> splitAndMerge();
                case 60 -> ofTheDay.forEach(regions::remove);
                case 70 -> moveManually();
                case 80 -> opensFail();
                default -> {}
            }
            poll();
            if (poll % 6 == 5) {
                heal();
                run(poll % ADVISES_EVERY_POLLS == ADVISES_EVERY_POLLS - 1);
            }
        }
    }

    /** Everything that remembers. */
    Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("heat", engine.heat());
        state.put("tracking", engine.tracker());
        state.put("engine, all but its decisions", engine);
        state.put("view for placements", view.orElseThrow());
        state.put("recent placements", recent);
        state.put("failed opens", failedOpens);
        state.put("reports that were read", readScheduler);
        state.put("block locations", locations.state());
        state.put("advice", engine.advice());
        state.put("request rates of the page", rates);
        return state;
    }

    /** The cluster, which is no memory of the balancer's. */
    Object cluster() {
        return regions;
    }

    /** Regions of which the last run knew where their bytes are. */
    int located() {
        return located;
    }

    /** What is kept of plans to be shown. */
    List<Decision> decisions() {
        return engine.decisions();
    }

    /** Bytes of what the next master would be handed. */
    int bytesKept() {
        return engine.tracker().encode(nowMs).length;
    }

    int regions() {
        return regions.size();
    }

    /** Moves of Hearth's plans so far. */
    int moves() {
        return moves;
    }

    private void start(int server) {
        servers[server] = new ServerId(host(server), 16020, nowMs);
    }

    private EncodedRegionName make(TableId table, String startKey, long madeMs) {
        RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf(table.name()))
                .setStartKey(Bytes.toBytes(startKey))
                .setRegionId(++made)
                .build();
        EncodedRegionName region = HBaseNames.region(info);
        Served served = new Served(
                info, table, startKey, madeMs, 50 * Math.exp(random.nextGaussian()), random.nextInt(SERVERS));
        regions.put(region, served);
        return region;
    }

    private List<EncodedRegionName> makeTables() {
        List<EncodedRegionName> ofTheDay = new ArrayList<>();
        for (int table = 0; table < TABLES_A_DAY; table++) {
            TableId name = new TableId("tmp_" + nowMs + "_" + table);
            for (int region = 0; region < 3; region++) {
                ofTheDay.add(make(name, "key" + region, nowMs));
            }
        }
        return ofTheDay;
    }

    /** Its regions land on the others, which the balancer answers for. */
    private void restart() {
        int server = random.nextInt(SERVERS);
        start(server);
        regions.forEach((id, region) -> {
            if (region.server == server) {
                opened(region, (server + 1 + random.nextInt(SERVERS - 1)) % SERVERS);
                recent.given(id, servers[region.server], view.orElseThrow(), nowMs);
                failedOpens.sent(id, servers[region.server], region.opening, nowMs);
            }
        });
    }

    private static void opened(Served region, int server) {
        region.server = server;
        region.opening++;
        region.requests = 0;
    }

    /** One region becomes two, and two others one: the numbers stay. */
    private void splitAndMerge() {
        List<Map.Entry<EncodedRegionName, Served>> base = new ArrayList<>();
        regions.entrySet().stream()
                .filter(each -> each.getValue().table.equals(TABLE))
                .sorted((one, other) -> one.getValue().startKey.compareTo(other.getValue().startKey))
                .forEach(base::add);
        int split = random.nextInt(base.size() / 2);
        Served parent = base.get(split).getValue();
        regions.remove(base.get(split).getKey());
        make(TABLE, parent.startKey, nowMs);
        make(TABLE, parent.startKey + (random.nextInt(9) + 1), nowMs);
        int merged = base.size() / 2 + random.nextInt(base.size() / 2 - 1);
        regions.remove(base.get(merged).getKey());
        regions.remove(base.get(merged + 1).getKey());
        // Keys do not grow longer over the year.
        make(TABLE, String.format(Locale.ROOT, "row%03d", random.nextInt(1_000)), nowMs);
    }

    private void moveManually() {
        for (int move = 0; move < 2; move++) {
            EncodedRegionName id = new ArrayList<>(regions.keySet()).get(random.nextInt(regions.size()));
            Served region = regions.get(id);
            int to = (region.server + 1) % SERVERS;
            engine.tracker()
                    .regionMovedManually(
                            id, region.table, servers[region.server], servers[to], "operator", false, nowMs);
            opened(region, to);
        }
    }

    /** Three regions do not open where they were sent; each opens on the next server. */
    private void opensFail() {
        List<EncodedRegionName> all = new ArrayList<>(regions.keySet());
        for (int failed = 0; failed < 3; failed++) {
            EncodedRegionName id = all.get(failed);
            Served region = regions.get(id);
            failedOpens.sent(id, servers[region.server], region.opening, nowMs);
            failedOpens.asked(id, region.opening, view.orElseThrow(), List.of(servers), nowMs + 1_000);
            opened(region, (region.server + 1) % SERVERS);
        }
    }

    private void poll() {
        Map<ServerId, ServerReport> reports = new LinkedHashMap<>();
        Map<ServerId, Long> reportMsByServer = new LinkedHashMap<>();
        for (int server = 0; server < SERVERS; server++) {
            List<RegionReport> ofServer = new ArrayList<>();
            for (Map.Entry<EncodedRegionName, Served> each : regions.entrySet()) {
                if (each.getValue().server == server) {
                    ofServer.add(report(each.getKey(), each.getValue()));
                }
            }
            reports.put(servers[server], new ServerReport(servers[server], nowMs, ofServer));
            reportMsByServer.put(servers[server], nowMs);
        }
        Set<ServerId> due = readScheduler.due(reportMsByServer, 30_000, nowMs);
        Collection<ServerReport> news = reports.values().stream()
                .filter(report -> due.contains(report.server()))
                .toList();
        ReportBatch batch = new ReportBatch(List.copyOf(news), reportMsByServer);
        engine.observe(batch, nowMs, nowMs);
        view = Optional.of(PlacementView.of(view, batch, engine::load, server -> 1, nowMs));
        recent.settle(view.get());
        failedOpens.settle(view.get());
        failedOpens.takeFailures();
        engine.tracker().takeEvents();
        locations.reported(metrics(), nowMs);
        rates.sample(hottest(), id -> Optional.ofNullable(regions.get(id))
                .map(region -> OptionalDouble.of(region.perSecond))
                .orElseGet(OptionalDouble::empty));
    }

    private List<EncodedRegionName> hottest() {
        return regions.entrySet().stream()
                .sorted(Comparator.comparingDouble(each -> -each.getValue().perSecond))
                .limit(HOTTEST)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The same reports in HBase's form. */
    private ClusterMetrics metrics() {
        Map<ServerName, ServerMetrics> live = new HashMap<>();
        for (int server = 0; server < SERVERS; server++) {
            int place = server;
            ServerName name = ServerName.valueOf(host(server), servers[server].port(), servers[server].startCode());
            List<RegionMetrics> ofServer = regions.values().stream()
                    .filter(region -> region.server == place)
                    .map(region -> RegionMetricsBuilder.newBuilder(region.info.getRegionName())
                            .setStoreFileSize(new Size(STORE_BYTES, Size.Unit.BYTE))
                            .setDataLocality(region.locality())
                            .build())
                    .toList();
            live.put(
                    name,
                    ServerMetricsBuilder.newBuilder(name)
                            .setRegionMetrics(ofServer)
                            .setReportTimestamp(nowMs)
                            .build());
        }
        return ClusterMetricsBuilder.newBuilder().setLiveServerMetrics(live).build();
    }

    /** The healer has made local what was moved, and says so. */
    private void heal() {
        List<EncodedRegionName> healed = new ArrayList<>();
        regions.forEach((id, region) -> {
            if (region.writtenOn != region.server) {
                region.writtenOn = region.server;
                healed.add(id);
            }
        });
        locations.changed(healed, nowMs);
    }

    private RegionReport report(EncodedRegionName id, Served region) {
        region.requests += region.perSecond * POLL_MS / 1_000 * (0.9 + 0.2 * random.nextDouble());
        return new RegionReport(
                id,
                region.table,
                Optional.of(new RegionNameInfo(region.startKey, region.madeMs)),
                region.opening,
                ReportedLoad.NONE
                        .with(LoadDimension.READS, (long) region.requests)
                        .with(LoadDimension.WRITES, (long) (region.requests / 4))
                        .with(LoadDimension.STORE_SIZE, STORE_BYTES)
                        .with(LoadDimension.MEMSTORE, 1L << 20),
                0);
    }

    private void run(boolean advisesOnly) {
        engine.runStarted(
                region -> Optional.ofNullable(regions.get(region)).map(served -> servers[served.server]), nowMs);
        ClusterStateBuilder states = engine.view(nowMs);
        Map<ServerId, Integer> slots = new HashMap<>();
        for (int server = 0; server < SERVERS; server++) {
            states.add(ServerState.of(servers[server]));
            slots.put(servers[server], server);
        }
        located = 0;
        regions.forEach((id, region) -> {
            LocalBytes bytes = locations.localBytes(region.info);
            located += bytes.isKnown() ? 1 : 0;
            states.add(servers[region.server], states.region(id, id, region.table, bytes));
        });
        ClusterState snapshot = states.all();
        PlanGoals goals = engine.goals(HBasePlanLimits.of(0.2, snapshot, 1), nowMs);
        Decision decision = engine.decide("hbase:ensemble", snapshot, goals, nowMs);
        engine.adviceOutcomes(decision);
        if (advisesOnly) {
            advise(decision);
        } else if (decision.isToBeCarriedOut()) {
            engine.planApplied(decision, snapshot, goals, nowMs);
            decision.plan().moves().forEach(move -> opened(regions.get(move.region()), slots.get(move.to())));
            moves += decision.plan().moves().size();
        }
    }

    /** The stock balancer moves one region, which Hearth only stands by at. */
    private void advise(Decision decision) {
        EncodedRegionName id = new ArrayList<>(regions.keySet()).get(random.nextInt(regions.size()));
        Served region = regions.get(id);
        int to = (region.server + 1) % SERVERS;
        engine.advised(
                decision,
                new Advice.StockPlan(
                        1,
                        List.of("The stock balancer moves " + id),
                        "its cost goes from 0.50 to 0.49",
                        decision.plan().maxOverMeanBefore()));
        engine.stockMoveApplied(id, region.table, servers[region.server], servers[to], nowMs);
        opened(region, to);
    }
}
