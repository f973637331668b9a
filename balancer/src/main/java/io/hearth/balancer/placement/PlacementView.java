// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.placement.RegionPlacer.ServerHeadroom;
import io.hearth.balancer.share.FairShares;
import io.hearth.balancer.share.ServerQuantiles;
import io.hearth.balancer.share.ServerQuantiles.ServerSample;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The last look at the servers' reports, as a placement needs it: who serves which region, and how hot each region is.
 * Immutable: it is published by swapping one reference.
 *
 * <p>What was read of a server stays as it is until its report is read again, so a view costs what is new in it; regions are put
 * in order by whoever asks for one first, for the views that follow too while nothing is new. A region that two servers report
 * belongs to the one that was read last.
 *
 * <p>A region that is in no report keeps the load that it had for {@value #REMEMBER_MS} ms: between the death of its server and
 * its placement it is in none.
 */
public final class PlacementView {

    /** Long enough for the WALs of a dead server to be split; milliseconds. */
    static final long REMEMBER_MS = 3_600_000;

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    /** So many of a server's hottest regions are told apart in each dimension: more that are each above a fair share it hardly has. */
    private static final int HOTTEST = 3;

    private final long takenMs;
    private final Map<ServerId, ReportedServer> reportedByServer;
    private final Map<EncodedRegionName, UnreportedRegion> unreportedByRegion;
    private final LoadVector meanLoad;
    private final ToDoubleFunction<ServerId> capacity;
    private volatile @Nullable Map<EncodedRegionName, ServedRegion> servedByRegion;

    private PlacementView(
            long takenMs,
            Map<ServerId, ReportedServer> reportedByServer,
            Map<EncodedRegionName, UnreportedRegion> unreportedByRegion,
            LoadVector meanLoad,
            ToDoubleFunction<ServerId> capacity) {
        this.takenMs = takenMs;
        this.reportedByServer = reportedByServer;
        this.unreportedByRegion = unreportedByRegion;
        this.meanLoad = meanLoad;
        this.capacity = capacity;
    }

    /** The view of these reports, one of each live server. */
    public static PlacementView of(
            Optional<PlacementView> before,
            Collection<ServerReport> reports,
            RegionLoads loads,
            ToDoubleFunction<ServerId> capacity,
            long nowMs) {
        return of(before, ReportBatch.ofAll(reports), loads, capacity, nowMs);
    }

    /**
     * The view of what this look brings, and of what was known before of every other server that is there.
     *
     * @param before the view that this one follows
     * @param capacity how much load a server can take against the others, above 0; asked by any thread, of servers too that have not reported
     */
    public static PlacementView of(
            Optional<PlacementView> before,
            ReportBatch batch,
            RegionLoads loads,
            ToDoubleFunction<ServerId> capacity,
            long nowMs) {
        Map<ServerId, ReportedServer> reported =
                before.map(view -> new HashMap<>(view.reportedByServer)).orElseGet(HashMap::new);
        reported.keySet().retainAll(batch.live());
        Map<EncodedRegionName, UnreportedRegion> gone =
                before.map(view -> view.stillGone(nowMs)).orElseGet(HashMap::new);
        for (ServerReport report : batch.newReports()) {
            ServerId server = report.server();
            ReportedServer read = ReportedServer.of(report, loads, capacity.applyAsDouble(server), nowMs);
            reported.put(server, read);
            read.removeFrom(gone);
        }
        before.ifPresent(view -> view.reportedByServer.forEach((server, then) -> {
            ReportedServer now = reported.get(server);
            if (then != now) {
                then.addTo(gone, now, Math.min(view.takenMs, nowMs));
            }
        }));
        LoadSum all = new LoadSum();
        List<LoadVector> hottest = new ArrayList<>();
        reported.values().forEach(server -> {
            all.add(server.sum);
            hottest.addAll(server.headroom.hottest());
        });
        PlacementView view = new PlacementView(nowMs, reported, gone, all.mean(hottest, reported.size()), capacity);
        before.filter(then -> batch.newReports().isEmpty() && reported.size() == then.reportedByServer.size())
                .ifPresent(then -> view.servedByRegion = then.servedByRegion);
        return view;
    }

    private Map<EncodedRegionName, UnreportedRegion> stillGone(long nowMs) {
        Map<EncodedRegionName, UnreportedRegion> still = new HashMap<>();
        unreportedByRegion.forEach((region, gone) -> {
            if (gone.seenMs >= nowMs - REMEMBER_MS) {
                still.put(region, new UnreportedRegion(gone.load, Math.min(gone.seenMs, nowMs)));
            }
        });
        return still;
    }

    private static List<LoadVector> hottest(List<LoadVector> loads) {
        Set<LoadVector> hottest = Collections.newSetFromMap(new IdentityHashMap<>());
        for (LoadDimension dimension : DIMENSIONS) {
            PriorityQueue<LoadVector> top =
                    new PriorityQueue<>(HOTTEST + 1, Comparator.comparingDouble(load -> load.get(dimension)));
            for (LoadVector load : loads) {
                if (load.get(dimension) > 0
                        && (top.size() < HOTTEST
                                || load.get(dimension) > top.element().get(dimension))) {
                    top.add(load);
                    if (top.size() > HOTTEST) {
                        top.remove();
                    }
                }
            }
            hottest.addAll(top);
        }
        return List.copyOf(hottest);
    }

    /** When it was taken, in milliseconds. */
    public long takenMs() {
        return takenMs;
    }

    /** Whether a server made one of the reports. */
    public boolean knows(ServerId server) {
        return reportedByServer.containsKey(server);
    }

    /** The server that said that it serves this region; empty where none did. */
    public Optional<ServerId> serverOf(EncodedRegionName region) {
        return Optional.ofNullable(served().get(region)).map(ServedRegion::server);
    }

    /** Whether the last report of this server has this region, whoever else reports it. */
    boolean isReportedBy(ServerId server, EncodedRegionName region) {
        ReportedServer reported = reportedByServer.get(server);
        return reported != null && reported.has(region);
    }

    /** The load of this region as it counts; empty where its heat is unknown. */
    public Optional<LoadVector> load(EncodedRegionName region) {
        ServedRegion served = served().get(region);
        if (served != null) {
            return Optional.ofNullable(served.load);
        }
        UnreportedRegion gone = unreportedByRegion.get(region);
        return gone == null ? Optional.empty() : Optional.ofNullable(gone.load);
    }

    /** Whether regions are in order by now, so that asking for one costs nothing. */
    boolean isInOrder() {
        return servedByRegion != null;
    }

    /** Two threads that ask first at once make the same map twice. */
    private Map<EncodedRegionName, ServedRegion> served() {
        Map<EncodedRegionName, ServedRegion> served = servedByRegion;
        if (served == null) {
            Map<EncodedRegionName, ServedRegion> made = new HashMap<>();
            reportedByServer.values().stream()
                    .sorted(Comparator.<ReportedServer>comparingLong(server -> server.readMs)
                            .thenComparing(server -> server.headroom.server()))
                    .forEach(server -> server.addTo(made));
            servedByRegion = made;
            served = made;
        }
        return served;
    }

    /**
     * The mean load of the regions whose heat is known: what to expect of one whose heat is not. Of a region above a server's fair
     * share only one counts: there are no others like it.
     */
    public LoadVector meanLoad() {
        return meanLoad;
    }

    /** How local and how loaded its servers are by their last reports; bytes of which a server does not say where they are count as local. */
    public ServerQuantiles quantiles() {
        return ServerQuantiles.of(reportedByServer.values().stream()
                .map(server -> new ServerSample(
                        server.headroom.load(), server.headroom.capacity(), server.localBytes, server.storeBytes))
                .toList());
    }

    /**
     * The room of these servers now. A server without a report has just started: it has what was given to it since, and the
     * capacity of its host.
     *
     * @param serverByRegion what was given to whom since the reports, by {@link RecentPlacements}
     * @param unassigned the regions that are to be placed, which count for no server
     */
    public List<ServerHeadroom> headrooms(
            Collection<ServerId> servers,
            Map<EncodedRegionName, ServerId> serverByRegion,
            Set<EncodedRegionName> unassigned) {
        Map<ServerId, HeadroomBuilder> tallies = new TreeMap<>();
        servers.forEach(server -> tallies.put(server, new HeadroomBuilder(headroom(server))));
        unassigned.stream().sorted().forEach(region -> {
            if (!serverByRegion.containsKey(region)) {
                serverOf(region).map(tallies::get).ifPresent(tally -> tally.remove(expected(region)));
            }
        });
        serverByRegion.keySet().stream().sorted().forEach(region -> {
            serverOf(region).map(tallies::get).ifPresent(tally -> tally.remove(expected(region)));
            HeadroomBuilder now = unassigned.contains(region) ? null : tallies.get(serverByRegion.get(region));
            if (now != null) {
                now.arrive(load(region).orElse(meanLoad));
            }
        });
        List<ServerHeadroom> headrooms = new ArrayList<>(tallies.size());
        tallies.values().forEach(tally -> headrooms.add(tally.headroom()));
        return headrooms;
    }

    /** What a region adds to the load of the server that reported it: nothing while its heat is unknown. */
    private LoadVector expected(EncodedRegionName region) {
        return load(region).orElse(LoadVector.ZERO);
    }

    private ServerHeadroom headroom(ServerId server) {
        ReportedServer reported = reportedByServer.get(server);
        return reported == null
                ? new ServerHeadroom(server, LoadVector.ZERO, 0, 0, capacity.applyAsDouble(server))
                : reported.headroom;
    }

    /** One region that a server reported. */
    private record ServedRegion(ServerId server, @Nullable LoadVector load) {}

    /** One region that is in no report any more. */
    private record UnreportedRegion(@Nullable LoadVector load, long seenMs) {}

    /** One server as it was when its report was read. Immutable. */
    private static final class ReportedServer {

        private final ServerHeadroom headroom;
        private final EncodedRegionName[] regions;
        private final @Nullable LoadVector[] loads;
        private final LoadSum sum;
        private final double localBytes;
        private final long storeBytes;
        private final long readMs;
        private volatile @Nullable Set<EncodedRegionName> regionSet;

        private ReportedServer(
                ServerHeadroom headroom,
                EncodedRegionName[] regions,
                @Nullable LoadVector[] loads,
                LoadSum sum,
                double localBytes,
                long storeBytes,
                long readMs) {
            this.headroom = headroom;
            this.regions = regions;
            this.loads = loads;
            this.sum = sum;
            this.localBytes = localBytes;
            this.storeBytes = storeBytes;
            this.readMs = readMs;
        }

        static ReportedServer of(ServerReport report, RegionLoads loads, double capacity, long nowMs) {
            int count = report.regions().size();
            EncodedRegionName[] regions = new EncodedRegionName[count];
            @Nullable LoadVector[] loadOf = new LoadVector[count];
            LoadSum sum = new LoadSum();
            List<LoadVector> known = new ArrayList<>(count);
            List<Optional<LoadVector>> reported = loads.loads(report);
            double localBytes = 0;
            long storeBytes = 0;
            for (int at = 0; at < count; at++) {
                RegionReport region = report.regions().get(at);
                regions[at] = region.region();
                LoadVector load = reported.get(at).orElse(null);
                loadOf[at] = load;
                if (load != null) {
                    sum.add(load);
                    known.add(load);
                }
                long bytes = region.load().get(LoadDimension.STORE_SIZE);
                localBytes += bytes * (1 - region.nonLocalShare());
                storeBytes += bytes;
            }
            ServerHeadroom headroom =
                    new ServerHeadroom(report.server(), sum.load(), count, 0, capacity, hottest(known));
            return new ReportedServer(headroom, regions, loadOf, sum, localBytes, storeBytes, nowMs);
        }

        void addTo(Map<EncodedRegionName, ServedRegion> served) {
            for (int at = 0; at < regions.length; at++) {
                served.put(regions[at], new ServedRegion(headroom.server(), loads[at]));
            }
        }

        /** A region that was in no report of late and is in this one is there. */
        void removeFrom(Map<EncodedRegionName, UnreportedRegion> gone) {
            if (!gone.isEmpty()) {
                for (EncodedRegionName region : regions) {
                    gone.remove(region);
                }
            }
        }

        /** Adds what it had and has no more: all of it where it is not there itself. */
        void addTo(Map<EncodedRegionName, UnreportedRegion> gone, @Nullable ReportedServer now, long seenMs) {
            if (now != null && Arrays.equals(regions, now.regions)) {
                return;
            }
            for (int at = 0; at < regions.length; at++) {
                if (now == null || !now.has(regions[at])) {
                    gone.put(regions[at], new UnreportedRegion(loads[at], seenMs));
                }
            }
        }

        /** Most servers are never asked: the set is made when the first one asks. */
        boolean has(EncodedRegionName region) {
            Set<EncodedRegionName> set = regionSet;
            if (set == null) {
                set = new HashSet<>(Arrays.asList(regions));
                regionSet = set;
            }
            return set.contains(region);
        }
    }

    /** A sum of loads. */
    private static final class LoadSum {

        private final double[] values = new double[DIMENSIONS.length];
        private int count;

        void add(LoadVector load) {
            for (LoadDimension dimension : DIMENSIONS) {
                values[dimension.ordinal()] += load.get(dimension);
            }
            count++;
        }

        void add(LoadSum other) {
            for (int dimension = 0; dimension < values.length; dimension++) {
                values[dimension] += other.values[dimension];
            }
            count += other.count;
        }

        LoadVector load() {
            return of(values, 1);
        }

        LoadVector mean(List<LoadVector> hottest, int servers) {
            double[] spread = new double[values.length];
            for (LoadDimension dimension : DIMENSIONS) {
                double total = values[dimension.ordinal()];
                double[] loads = hottest.stream()
                        .mapToDouble(load -> load.get(dimension))
                        .toArray();
                spread[dimension.ordinal()] = total > 0
                        ? servers * FairShares.meanWithoutOversized(loads, servers, total / servers, 1, 1, 0)
                        : 0;
            }
            return of(spread, Math.max(1, count));
        }
    }

    /** The room of one server while regions come and go. */
    private static final class HeadroomBuilder {

        private final ServerHeadroom before;
        private final double[] load = new double[DIMENSIONS.length];
        private final List<LoadVector> hottest;
        private int regions;
        private int arrivals;

        HeadroomBuilder(ServerHeadroom before) {
            this.before = before;
            regions = before.regions();
            hottest = new ArrayList<>(before.hottest());
            for (LoadDimension dimension : DIMENSIONS) {
                load[dimension.ordinal()] = before.load().get(dimension);
            }
        }

        void remove(LoadVector gone) {
            regions--;
            hottest.remove(gone);
            for (LoadDimension dimension : DIMENSIONS) {
                load[dimension.ordinal()] -= gone.get(dimension);
            }
        }

        void arrive(LoadVector come) {
            regions++;
            arrivals++;
            hottest.add(come);
            for (LoadDimension dimension : DIMENSIONS) {
                load[dimension.ordinal()] += come.get(dimension);
            }
        }

        ServerHeadroom headroom() {
            return new ServerHeadroom(
                    before.server(), of(load, 1), Math.max(0, regions), arrivals, before.capacity(), hottest);
        }
    }

    /** A difference of sums may come out just below 0. */
    private static LoadVector of(double[] values, double divisor) {
        return LoadVector.of(dimension -> Math.max(0, values[dimension.ordinal()]) / divisor);
    }
}
