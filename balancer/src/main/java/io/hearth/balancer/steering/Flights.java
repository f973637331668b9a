package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The moves in flight: each from the plan until a report newer than the plan speaks of the region on its target, or until it
 * is clear that the move was not made. Not thread-safe.
 */
final class Flights {

    /** A region that nobody reports may be in transition; after this many times the time of a flight it is given up. */
    private static final int LOST_AFTER_FLIGHTS = 2;

    private final Map<RegionId, Flight> flightByRegion = new HashMap<>();
    private final UnseenRuns unseenRuns;

    Flights() {
        this(new UnseenRuns());
    }

    private Flights(UnseenRuns unseenRuns) {
        this.unseenRuns = unseenRuns;
    }

    /** A flight that is over. */
    record Ended(RegionId region, Flight flight, Flight.End end) {}

    void planned(
            RegionId region,
            TableId table,
            ServerId from,
            ServerId to,
            long runAtMs,
            long nowMs,
            long flightMs,
            boolean byOurPlan,
            boolean spentBudget) {
        unseenRuns.planned(runAtMs);
        flightByRegion.put(
                region,
                new Flight(
                        table,
                        from,
                        to,
                        nowMs,
                        runAtMs,
                        nowMs + flightMs,
                        nowMs + LOST_AFTER_FLIGHTS * flightMs,
                        byOurPlan,
                        spentBudget));
    }

    /** Ends what these reports end. */
    List<Ended> observed(Sightings sightings, long nowMs) {
        List<Ended> ended = new ArrayList<>();
        Iterator<Map.Entry<RegionId, Flight>> each = flightByRegion.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<RegionId, Flight> entry = each.next();
            entry.getValue().end(entry.getKey(), sightings, nowMs).ifPresent(end -> {
                ended.add(new Ended(entry.getKey(), entry.getValue(), end));
                each.remove();
            });
        }
        ended.sort((one, other) -> one.region().compareTo(other.region()));
        return ended;
    }

    /** Ends what by the master's word, when a run begins, has not gone where it should; of what it does not name nothing is known. */
    List<Ended> assigned(Function<RegionId, Optional<ServerId>> serverByRegion) {
        List<Ended> ended = new ArrayList<>();
        flightByRegion.forEach((region, flight) -> serverByRegion
                .apply(region)
                .flatMap(flight::end)
                .ifPresent(end -> ended.add(new Ended(region, flight, end))));
        ended.sort((one, other) -> one.region().compareTo(other.region()));
        ended.forEach(each -> flightByRegion.remove(each.region()));
        return ended;
    }

    /** Ends this flight, if there is one, because somebody took the region elsewhere by hand. */
    List<Ended> overtaken(RegionId region) {
        Flight flight = flightByRegion.remove(region);
        return flight == null ? List.of() : List.of(new Ended(region, flight, Flight.End.ELSEWHERE));
    }

    /** The runs of which, by the master's word, a region is where it should go. */
    Set<Long> arrivedRuns(Function<RegionId, Optional<ServerId>> serverByRegion) {
        Set<Long> runs = new TreeSet<>();
        flightByRegion.forEach((region, flight) -> {
            if (serverByRegion.apply(region).equals(Optional.of(flight.to()))) {
                runs.add(flight.runAtMs());
            }
        });
        return runs;
    }

    /** The runs of which no move has been seen to be made. */
    UnseenRuns unseenRuns() {
        return unseenRuns;
    }

    boolean isAnyOf(long runAtMs) {
        return flightByRegion.values().stream().anyMatch(flight -> flight.runAtMs() == runAtMs);
    }

    /** Adds what another master had in flight, but for these regions: of them this one knows better. */
    void putUnder(Flights older, Set<RegionId> knownHere) {
        older.flightByRegion.forEach((region, flight) -> {
            if (!knownHere.contains(region)) {
                flightByRegion.putIfAbsent(region, flight);
            }
        });
        unseenRuns.putUnder(older.unseenRuns, this::isAnyOf);
    }

    /** Whether this region is on its way there. */
    boolean isOnItsWay(RegionId region, ServerId to) {
        Flight flight = flightByRegion.get(region);
        return flight != null && flight.to().equals(to);
    }

    Set<RegionId> regions() {
        return flightByRegion.keySet();
    }

    void list(Consumer<PinnedRegion> list) {
        flightByRegion.forEach((region, flight) -> list.accept(flight.listed(region)));
    }

    void write(StateOut out) throws IOException {
        unseenRuns.write(out);
        out.map(flightByRegion, out::region, flight -> {
            out.table(flight.table());
            out.server(flight.from());
            out.server(flight.to());
            out.number(flight.plannedAtMs());
            out.number(flight.runAtMs());
            out.number(flight.dropMs() - flight.plannedAtMs());
            out.number(flight.lostMs() - flight.plannedAtMs());
            out.flag(flight.byOurPlan());
        });
    }

    static Flights read(StateIn in) throws IOException {
        Flights flights = new Flights(UnseenRuns.read(in));
        in.map(flights.flightByRegion, in::region, () -> read(in, in.table()));
        return flights;
    }

    private static Flight read(StateIn in, TableId table) throws IOException {
        ServerId from = in.server();
        ServerId to = in.server();
        long plannedAtMs = in.time();
        long runAtMs = in.number();
        return new Flight(
                table,
                from,
                to,
                plannedAtMs,
                runAtMs,
                plannedAtMs + in.number(),
                plannedAtMs + in.number(),
                in.flagSinceLimits(),
                false);
    }
}
