package io.hearth.balancer.placement;

import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The last look at the servers' reports, as a placement needs it: who serves which region, and how hot each region is.
 * Immutable: it is published by swapping one reference.
 *
 * <p>A region that is in no report keeps the load that it had for {@value #REMEMBER_MS} ms: between the death of its server and
 * its placement it is in none.
 */
public final class PlacementView {

    /** Long enough for the WALs of a dead server to be split; milliseconds. */
    static final long REMEMBER_MS = 3_600_000;

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private final long takenMs;
    private final Map<ServerId, ServerRoom> roomByServer;
    private final Map<RegionId, Seen> seenByRegion;
    private final LoadVector meanLoad;

    private PlacementView(
            long takenMs,
            Map<ServerId, ServerRoom> roomByServer,
            Map<RegionId, Seen> seenByRegion,
            LoadVector meanLoad) {
        this.takenMs = takenMs;
        this.roomByServer = roomByServer;
        this.seenByRegion = seenByRegion;
        this.meanLoad = meanLoad;
    }

    /** How hot a region is, as its table's weight counts it. */
    public interface Loads {

        /** Empty where its heat is unknown. */
        Optional<LoadVector> load(RegionId region, TableId table);
    }

    /**
     * The view of these reports.
     *
     * @param before the view that this one follows, for the regions that are in no report now
     * @param capacity how much load a server can take against the others, above 0
     */
    public static PlacementView of(
            Optional<PlacementView> before,
            Collection<ServerReport> reports,
            Loads loads,
            ToDoubleFunction<ServerId> capacity,
            long nowMs) {
        Map<RegionId, Seen> seen = new HashMap<>();
        Map<ServerId, ServerRoom> rooms = new HashMap<>();
        Sum all = new Sum();
        for (ServerReport report : reports) {
            Sum ofServer = new Sum();
            for (RegionReport region : report.regions()) {
                Optional<LoadVector> load = loads.load(region.region(), region.table());
                load.ifPresent(all::add);
                load.ifPresent(ofServer::add);
                seen.put(region.region(), new Seen(report.server(), load.orElse(null), nowMs));
            }
            rooms.put(
                    report.server(),
                    new ServerRoom(
                            report.server(),
                            ofServer.load(),
                            report.regions().size(),
                            0,
                            capacity.applyAsDouble(report.server())));
        }
        before.ifPresent(old -> old.seenByRegion.forEach((region, then) -> {
            if (then.seenMs >= nowMs - REMEMBER_MS) {
                seen.putIfAbsent(region, new Seen(null, then.load, Math.min(then.seenMs, nowMs)));
            }
        }));
        return new PlacementView(nowMs, rooms, seen, all.mean());
    }

    /** When it was taken, in milliseconds. */
    public long takenMs() {
        return takenMs;
    }

    /** Whether a server made one of the reports. */
    public boolean knows(ServerId server) {
        return roomByServer.containsKey(server);
    }

    /** The server that said that it serves this region; empty where none did. */
    public Optional<ServerId> serverOf(RegionId region) {
        Seen seen = seenByRegion.get(region);
        return seen == null ? Optional.empty() : Optional.ofNullable(seen.server);
    }

    /** The load of this region as it counts; empty where its heat is unknown. */
    public Optional<LoadVector> load(RegionId region) {
        Seen seen = seenByRegion.get(region);
        return seen == null ? Optional.empty() : Optional.ofNullable(seen.load);
    }

    /** The mean load of the regions whose heat is known: what to expect of one whose heat is not. */
    public LoadVector meanLoad() {
        return meanLoad;
    }

    /**
     * The room of these servers now. A server without a report has just started: it has what was given to it since, and the
     * mean capacity of the others.
     *
     * @param serverByRegion what was given to whom since the reports, by {@link RecentPlacements}
     * @param homeless the regions that are to be placed, which count for no server
     */
    public List<ServerRoom> rooms(
            Collection<ServerId> servers, Map<RegionId, ServerId> serverByRegion, Set<RegionId> homeless) {
        Map<ServerId, Tally> tallies = new TreeMap<>();
        double capacity = servers.stream()
                .filter(this::knows)
                .mapToDouble(server -> room(server).capacity())
                .average()
                .orElse(1);
        servers.forEach(server -> tallies.put(server, new Tally(room(server), knows(server) ? 0 : capacity)));
        homeless.stream().sorted().forEach(region -> {
            if (!serverByRegion.containsKey(region)) {
                serverOf(region).map(tallies::get).ifPresent(tally -> tally.remove(expected(region)));
            }
        });
        serverByRegion.keySet().stream().sorted().forEach(region -> {
            serverOf(region).map(tallies::get).ifPresent(tally -> tally.remove(expected(region)));
            Tally now = homeless.contains(region) ? null : tallies.get(serverByRegion.get(region));
            if (now != null) {
                now.arrive(load(region).orElse(meanLoad));
            }
        });
        List<ServerRoom> rooms = new ArrayList<>(tallies.size());
        tallies.values().forEach(tally -> rooms.add(tally.room()));
        return rooms;
    }

    /** What a region adds to the load of the server that reported it: nothing while its heat is unknown. */
    private LoadVector expected(RegionId region) {
        return load(region).orElse(LoadVector.ZERO);
    }

    private ServerRoom room(ServerId server) {
        ServerRoom room = roomByServer.get(server);
        return room == null ? new ServerRoom(server, LoadVector.ZERO, 0) : room;
    }

    /** One region as last seen. */
    private record Seen(@Nullable ServerId server, @Nullable LoadVector load, long seenMs) {}

    /** A sum of loads. */
    private static final class Sum {

        private final double[] values = new double[DIMENSIONS.length];
        private int count;

        void add(LoadVector load) {
            for (LoadDimension dimension : DIMENSIONS) {
                values[dimension.ordinal()] += load.get(dimension);
            }
            count++;
        }

        LoadVector load() {
            return of(values, 1);
        }

        LoadVector mean() {
            return of(values, Math.max(1, count));
        }
    }

    /** The room of one server while regions come and go. */
    private static final class Tally {

        private final ServerRoom before;
        private final double capacity;
        private final double[] load = new double[DIMENSIONS.length];
        private int regions;
        private int arrivals;

        Tally(ServerRoom before, double capacityOfUnknown) {
            this.before = before;
            capacity = capacityOfUnknown > 0 ? capacityOfUnknown : before.capacity();
            regions = before.regions();
            for (LoadDimension dimension : DIMENSIONS) {
                load[dimension.ordinal()] = before.load().get(dimension);
            }
        }

        void remove(LoadVector gone) {
            regions--;
            for (LoadDimension dimension : DIMENSIONS) {
                load[dimension.ordinal()] -= gone.get(dimension);
            }
        }

        void arrive(LoadVector come) {
            regions++;
            arrivals++;
            for (LoadDimension dimension : DIMENSIONS) {
                load[dimension.ordinal()] += come.get(dimension);
            }
        }

        ServerRoom room() {
            return new ServerRoom(before.server(), of(load, 1), Math.max(0, regions), arrivals, capacity);
        }
    }

    /** A difference of sums may come out just below 0. */
    private static LoadVector of(double[] values, double divisor) {
        return LoadVector.of(
                Math.max(0, values[0]) / divisor,
                Math.max(0, values[1]) / divisor,
                Math.max(0, values[2]) / divisor,
                Math.max(0, values[3]) / divisor);
    }
}
