// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A cluster on a hand-cranked clock: regions with constant, known rates, servers that report at any mixture of intervals, a
 * master that holds the last report of each, and one fault in many steps.
 */
final class FaultyCluster {

    /** What can go wrong. */
    enum Fault {
        REOPEN,
        MOVE,
        MOVE_WITH_A_GAP,
        MISSING,
        OUT_OF_ORDER,
        RESTART,
        CLOCK_STEP,
        SMALL_CLOCK_STEP,
        MASTER_CLOCK_STEP,
        SPLIT,
        MERGE
    }

    private static final TableId TABLE = new TableId("t");
    private static final long[] INTERVALS_MS = {300, 1_000, 3_000, 60_000};
    private static final int SERVERS = 4;
    /** A server sends its reports one after the other, so a late one is not very old. */
    private static final int LATE_REPORTS = 5 * SERVERS;

    private static final long FIRST_MS = 1_700_000_000_000L;

    /** A region and its true load. */
    static final class Region {
        final EncodedRegionName id;
        final RegionNameInfo nameInfo;
        final long readsPerSecond;
        final long storeBytes;
        int server;
        long openedMs;
        long openSeqNum = 1;
        int missingReports;
        int reports;

        Region(RegionNameInfo nameInfo, long readsPerSecond, int server, long openedMs) {
            this.id = new EncodedRegionName(nameInfo.startKey() + "-" + nameInfo.regionIdMs());
            this.nameInfo = nameInfo;
            this.readsPerSecond = readsPerSecond;
            this.storeBytes = readsPerSecond << 20;
            this.server = server;
            this.openedMs = openedMs;
        }
    }

    final List<Region> regions = new ArrayList<>();
    private final Random random;
    private final boolean givesSequences;
    private final List<Fault> faults;
    private final ServerId[] servers = new ServerId[SERVERS];
    private final long[] clockAheadMs = new long[SERVERS];
    private final Map<ServerId, ServerReport> heldByServer = new HashMap<>();
    /** Each counter with the number of the opening that it is of, whatever the master has at that moment. */
    private final List<ServerReport> sent = new ArrayList<>();

    private final HiddenOpenings hidden = new HiddenOpenings();
    private long masterAheadMs;
    private long nowMs = FIRST_MS;
    private long nextSequence = 2;

    FaultyCluster(long seed, boolean givesSequences, Set<Fault> faults) {
        random = new Random(seed);
        this.givesSequences = givesSequences;
        this.faults = faults.stream().sorted().toList();
        for (int server = 0; server < SERVERS; server++) {
            servers[server] = new ServerId("host" + server, 16020, FIRST_MS);
        }
        for (char start = 'a'; start < 'm'; start++) {
            long readsPerSecond = 200L + random.nextInt(2_000);
            long openedMs = FIRST_MS - random.nextInt(7_200_000);
            regions.add(new Region(
                    new RegionNameInfo("" + start, FIRST_MS - 86_400_000),
                    readsPerSecond,
                    random.nextInt(SERVERS),
                    openedMs));
        }
    }

    long masterMs() {
        return nowMs + masterAheadMs;
    }

    /** The time of the master by a clock that nobody sets. */
    long monotonicMs() {
        return nowMs;
    }

    /** Time goes on, and in every other step something goes wrong. */
    Collection<ServerReport> nextReports() {
        long beforeMs = nowMs;
        nowMs += INTERVALS_MS[random.nextInt(INTERVALS_MS.length)];
        long eventMs = beforeMs + 1 + random.nextInt((int) (nowMs - beforeMs) - 100);
        Optional<Fault> fault =
                random.nextBoolean() ? Optional.of(faults.get(random.nextInt(faults.size()))) : Optional.empty();
        fault.ifPresent(happens -> happen(happens, eventMs));
        for (int server = 0; server < SERVERS; server++) {
            if (random.nextInt(10) > 0) {
                report(server, nowMs - random.nextInt((int) Math.min(3_000, nowMs - eventMs)));
            }
        }
        return delivered(fault.filter(happens -> happens == Fault.OUT_OF_ORDER).isPresent());
    }

    /** Time goes on by three seconds, and every server reports what is. */
    Collection<ServerReport> nextCleanReports() {
        nowMs += 3_000;
        for (int server = 0; server < SERVERS; server++) {
            report(server, nowMs);
        }
        return delivered(false);
    }

    private Collection<ServerReport> delivered(boolean isOneOld) {
        Map<ServerId, ServerReport> reports = new HashMap<>(heldByServer);
        if (isOneOld && !sent.isEmpty()) {
            List<ServerReport> late = sent.subList(Math.max(0, sent.size() - LATE_REPORTS), sent.size());
            ServerReport old = late.get(random.nextInt(late.size()));
            reports.replace(old.server(), old);
        }
        List<ServerReport> inAnyOrder = new ArrayList<>(reports.values());
        Collections.shuffle(inAnyOrder, random);
        return inAnyOrder;
    }

    private void happen(Fault fault, long eventMs) {
        Region region = regions.get(random.nextInt(regions.size()));
        switch (fault) {
            case REOPEN -> {
                lateReport(region.server, eventMs);
                open(region, region.server, eventMs);
            }
            case MOVE -> {
                lateReport(region.server, eventMs);
                open(region, random.nextInt(SERVERS), eventMs);
            }
            case MOVE_WITH_A_GAP -> {
                open(region, random.nextInt(SERVERS), eventMs);
                region.missingReports = 1 + random.nextInt(3);
            }
            case MISSING -> region.missingReports = 1 + random.nextInt(3);
            case OUT_OF_ORDER -> {}
            case RESTART -> restart(region.server, eventMs);
            case CLOCK_STEP -> clockAheadMs[region.server] += step(120_000, 7_200_000);
            case SMALL_CLOCK_STEP -> clockAheadMs[region.server] += step(1_000, 60_000);
            case MASTER_CLOCK_STEP -> masterAheadMs += step(120_000, 1_800_000);
            case SPLIT -> split(region, eventMs);
            case MERGE -> merge(region, eventMs);
        }
    }

    private long step(int leastMs, int mostMs) {
        int ms = leastMs + random.nextInt(mostMs - leastMs);
        return random.nextBoolean() ? ms : -ms;
    }

    /** At times the server's last report from before an event is all that the master gets for now. */
    private void lateReport(int server, long eventMs) {
        if (random.nextBoolean()) {
            report(server, eventMs);
        }
    }

    private void open(Region region, int server, long atMs) {
        region.server = server;
        region.openedMs = atMs;
        region.openSeqNum = nextSequence++;
    }

    private void restart(int server, long atMs) {
        heldByServer.remove(servers[server]);
        sent.removeIf(report -> report.server().equals(servers[server]));
        servers[server] = new ServerId("host" + server, 16020, atMs);
        regions.stream()
                .filter(region -> region.server == server)
                .forEach(region -> open(region, random.nextInt(SERVERS), atMs));
    }

    private void split(Region parent, long atMs) {
        if (parent.readsPerSecond < 400 || !hasSettled(parent)) {
            return;
        }
        lateReport(parent.server, atMs);
        long first = parent.readsPerSecond / 4 + random.nextInt((int) parent.readsPerSecond / 2);
        RegionNameInfo left = new RegionNameInfo(parent.nameInfo.startKey(), atMs + masterAheadMs);
        RegionNameInfo right = new RegionNameInfo(between(parent), atMs + masterAheadMs);
        int at = regions.indexOf(parent);
        regions.remove(at);
        regions.add(at, opened(right, parent.readsPerSecond - first, parent.server, atMs));
        regions.add(at, opened(left, first, parent.server, atMs));
    }

    /** HBase splits and merges only what has been compacted since its last split or merge. */
    private static boolean hasSettled(Region region) {
        return region.reports >= 3;
    }

    private String between(Region region) {
        int next = regions.indexOf(region) + 1;
        String end = next < regions.size() ? regions.get(next).nameInfo.startKey() : "z";
        String key = region.nameInfo.startKey() + "m";
        while (key.compareTo(end) >= 0) {
            key = key.substring(0, key.length() - 1) + "a" + "m";
        }
        return key;
    }

    private void merge(Region first, long atMs) {
        int at = regions.indexOf(first);
        if (at + 1 >= regions.size() || regions.size() < 4) {
            return;
        }
        if (!hasSettled(first) || !hasSettled(regions.get(at + 1))) {
            return;
        }
        Region second = regions.remove(at + 1);
        regions.remove(at);
        RegionNameInfo nameInfo = new RegionNameInfo(first.nameInfo.startKey(), atMs + masterAheadMs);
        regions.add(at, opened(nameInfo, first.readsPerSecond + second.readsPerSecond, first.server, atMs));
    }

    private Region opened(RegionNameInfo nameInfo, long readsPerSecond, int server, long atMs) {
        Region region = new Region(nameInfo, readsPerSecond, server, atMs);
        region.openSeqNum = nextSequence++;
        return region;
    }

    private void report(int server, long atMs) {
        List<RegionReport> ofServer = new ArrayList<>();
        for (Region region : regions) {
            if (region.server == server && region.openedMs <= atMs) {
                if (region.missingReports > 0) {
                    region.missingReports--;
                } else {
                    region.reports++;
                    ofServer.add(report(region, atMs));
                }
            }
        }
        ServerReport report = new ServerReport(servers[server], atMs + clockAheadMs[server], ofServer);
        heldByServer.put(report.server(), report);
        sent.add(report);
    }

    private RegionReport report(Region region, long atMs) {
        long reads = (atMs - region.openedMs) * region.readsPerSecond / 1000;
        return new RegionReport(
                region.id,
                TABLE,
                Optional.of(region.nameInfo),
                region.openSeqNum,
                ReportedLoad.NONE
                        .with(LoadDimension.READS, reads)
                        .with(LoadDimension.WRITES, 2 * reads)
                        .with(LoadDimension.STORE_SIZE, region.storeBytes),
                0);
    }

    /** The reports as they are read: with the numbers that the master has at that moment, older reports too. */
    Collection<ServerReport> read(Collection<ServerReport> reports) {
        return reports.stream().map(this::read).toList();
    }

    private ServerReport read(ServerReport sent) {
        ServerReport given = new ServerReport(
                sent.server(),
                sent.reportTimeMs(),
                sent.regions().stream()
                        .map(region -> numbered(sent.server(), region))
                        .toList());
        hidden.read(sent, given, nowMs);
        return given;
    }

    /** Whether the reports that were read are misleading about this region, and nobody can know that. */
    boolean isMisleading(Region region) {
        return hidden.areMisleading(region.id, nowMs);
    }

    private RegionReport numbered(ServerId server, RegionReport report) {
        long openSeqNum = regions.stream()
                .filter(region ->
                        givesSequences && region.id.equals(report.region()) && servers[region.server].equals(server))
                .mapToLong(region -> region.openSeqNum)
                .findFirst()
                .orElse(RegionReport.UNKNOWN);
        return new RegionReport(
                report.region(), report.table(), report.nameInfo(), openSeqNum, report.load(), report.nonLocalShare());
    }
}
