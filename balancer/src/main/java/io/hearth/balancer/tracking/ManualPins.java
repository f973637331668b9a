// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.MoveTrackerConfig;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.tracking.BulkMoveDetector.BulkMove;
import io.hearth.balancer.tracking.BulkMoveDetector.ManualMove;
import io.hearth.balancer.tracking.ReportedLocationIndex.ReportedLocations;
import io.hearth.balancer.tracking.TrackerEvent.EventBuffer;
import io.hearth.balancer.tracking.TrackerEvent.Kind;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.log.PrintableName;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The regions that somebody moved manually and that stay there for a time: until it is over, their heat has doubled or halved,
 * they are elsewhere, or somebody lifts it. What tools do to a server as a whole pins nothing. Not thread-safe.
 */
final class ManualPins {

    private final Map<EncodedRegionName, ManualPin> pinByRegion = new HashMap<>();
    private final BulkMoveDetector bulkMoveDetector = new BulkMoveDetector();
    private final UnloadedServers unloadedServers = new UnloadedServers();
    private double meanRegions;

    /** Takes a manual move; pins its region unless it is no wish to have it there. */
    void moved(ManualMove move, TableId table, boolean fromDraining, MoveTrackerConfig config, EventBuffer events) {
        pinByRegion.remove(move.region());
        bulkMoveDetector
                .unloadedBefore(move, meanRegions)
                .forEach(bulkMove -> unloaded(bulkMove, move.whenMs(), events));
        if (unloadedServers.isReload(move)) {
            events.add(
                    move.whenMs(),
                    Kind.MANUAL_MOVE_NOT_PINNED,
                    text(move, "it is brought back to a server that was emptied"));
            return;
        }
        if (fromDraining || isOfUnload(move)) {
            unloadedServers.left(List.of(move));
            events.add(move.whenMs(), Kind.MANUAL_MOVE_NOT_PINNED, text(move, "that server is being emptied"));
            return;
        }
        Optional<BulkMove> bulkMove = bulkMoveDetector.add(move, meanRegions);
        if (bulkMove.isPresent()) {
            unpin(bulkMove.get(), move.whenMs(), events);
        } else if (config.manualPinExemptions().contains(move.region().encodedName())) {
            events.add(
                    move.whenMs(),
                    Kind.MANUAL_MOVE_NOT_PINNED,
                    text(move, "hearth.balancer.manual.pin.exempt.regions names it"));
        } else if (config.manualPinMs() > 0) {
            ManualPin pin =
                    new ManualPin(table, move.from(), move.to(), move.who(), move.whenMs(), OptionalDouble.empty());
            pinByRegion.put(move.region(), pin);
            events.add(
                    move.whenMs(),
                    Kind.MANUAL_PIN_SET,
                    move.region() + " of " + table + " was moved from " + move.from() + " to " + move.to() + " by "
                            + move.who() + " and stays there for " + HumanFormat.timeOfMs(config.manualPinMs()));
        }
    }

    /**
     * Whether this move takes the last region off a server whose emptying by the same user was found before: a report may be ahead of the
     * moves that are known.
     */
    private boolean isOfUnload(ManualMove move) {
        return bulkMoveDetector.hasAtMostOneRegion(move.from()) && unloadedServers.hasJustBeenUnloaded(move);
    }

    private static String text(ManualMove move, String why) {
        return move.region() + " was moved from " + move.from() + " to " + move.to() + " by " + move.who()
                + " and is not pinned: " + why;
    }

    private void unloaded(BulkMove bulkMove, long nowMs, EventBuffer events) {
        unpin(bulkMove, nowMs, events);
        unloadedServers.left(bulkMove.moves());
    }

    private void unpin(BulkMove bulkMove, long nowMs, EventBuffer events) {
        bulkMove.moves().forEach(move -> {
            ManualPin pin = pinByRegion.get(move.region());
            if (pin != null && pin.whenMs() == move.whenMs()) {
                pinByRegion.remove(move.region());
            }
        });
        if (bulkMove.isNew()) {
            events.add(
                    nowMs,
                    Kind.BULK_MOVE,
                    bulkMove.moves().get(0).who() + " moved " + bulkMove.moves().size() + " regions " + bulkMove.what()
                            + " within " + HumanFormat.timeOfMs(BulkMoveDetector.WINDOW_MS)
                            + ": none of them is pinned");
        }
    }

    /** Lifts what these reports and heats lift. */
    void observed(
            ReportedLocations reportedLocations,
            Map<EncodedRegionName, OptionalDouble> heatByRegion,
            long nowMs,
            MoveTrackerConfig config,
            EventBuffer events) {
        if (reportedLocations.meanRegions() > 0) {
            meanRegions = reportedLocations.meanRegions();
        }
        bulkMoveDetector
                .observed(reportedLocations.byServer(), meanRegions, nowMs)
                .forEach(bulkMove -> unloaded(bulkMove, nowMs, events));
        unloadedServers.forgetExpired(nowMs);
        pinByRegion.replaceAll(
                (region, pin) -> pin.withHeat(heatByRegion.getOrDefault(region, OptionalDouble.empty())));
        pinByRegion.entrySet().removeIf(entry -> {
            Optional<String> why =
                    whyOver(entry.getKey(), entry.getValue(), reportedLocations, heatByRegion, nowMs, config);
            why.ifPresent(
                    reason -> events.add(nowMs, Kind.MANUAL_PIN_ENDED, over(entry.getKey(), entry.getValue(), reason)));
            return why.isPresent();
        });
    }

    private static Optional<String> whyOver(
            EncodedRegionName region,
            ManualPin pin,
            ReportedLocations reportedLocations,
            Map<EncodedRegionName, OptionalDouble> heatByRegion,
            long nowMs,
            MoveTrackerConfig config) {
        if (nowMs >= pin.whenMs() + config.manualPinMs()) {
            return Optional.of("its time is over");
        }
        if (pin.isElsewhere(region, reportedLocations)) {
            return Optional.of("it is elsewhere by now");
        }
        OptionalDouble heatNow = heatByRegion.getOrDefault(region, OptionalDouble.empty());
        return pin.hasChanged(heatNow, config.manualPinMinRequestsPerSecond())
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "its heat went from %.0f to %.0f requests/s",
                        pin.heatThen().orElseThrow(),
                        heatNow.orElseThrow()))
                : Optional.empty();
    }

    private static String over(EncodedRegionName region, ManualPin pin, String reason) {
        return region + " of " + pin.table() + ", which " + pin.who() + " moved to " + pin.server()
                + ", is no longer pinned: " + reason;
    }

    /** Removes this pin; says whether there was one. */
    boolean remove(EncodedRegionName region, String by, long nowMs, EventBuffer events) {
        ManualPin pin = pinByRegion.remove(region);
        if (pin != null) {
            events.add(nowMs, Kind.MANUAL_PIN_ENDED, over(region, pin, by));
        }
        return pin != null;
    }

    void forget(EncodedRegionName region, long nowMs, EventBuffer events) {
        remove(region, "no server has reported it for " + HumanFormat.timeOfMs(MoveTracker.GONE_MS), nowMs, events);
    }

    void pin(Map<EncodedRegionName, Pin> pins, long nowMs, MoveTrackerConfig config) {
        pinByRegion.forEach((region, pin) -> {
            if (nowMs < pin.whenMs() + config.manualPinMs()) {
                pins.put(region, Pin.MOVED_MANUALLY);
            }
        });
    }

    void list(Consumer<PinnedRegion> list, long nowMs, MoveTrackerConfig config) {
        pinByRegion.forEach((region, pin) -> {
            if (nowMs < pin.whenMs() + config.manualPinMs()) {
                list.accept(pin.listed(region, config.manualPinMs()));
            }
        });
    }

    /** Adds another master's pins, but for these regions: of them this one knows better. */
    void mergeOlder(ManualPins older, Set<EncodedRegionName> knownHere) {
        older.pinByRegion.forEach((region, pin) -> {
            if (!knownHere.contains(region)) {
                pinByRegion.putIfAbsent(region, pin);
            }
        });
        unloadedServers.mergeOlder(older.unloadedServers, knownHere);
        bulkMoveDetector.mergeOlder(older.pinByRegion.entrySet().stream()
                .filter(entry -> !knownHere.contains(entry.getKey()))
                .map(entry -> entry.getValue().move(entry.getKey()))
                .toList());
        meanRegions = meanRegions > 0 ? meanRegions : older.meanRegions;
    }

    Set<EncodedRegionName> regions() {
        return pinByRegion.keySet();
    }

    void write(StateWriter out) throws IOException {
        out.decimal(meanRegions);
        out.map(pinByRegion, out::region, pin -> {
            out.table(pin.table());
            out.server(pin.from());
            out.server(pin.server());
            out.name(pin.who());
            out.number(pin.whenMs());
            out.decimal(pin.heatThen().orElse(-1));
        });
        unloadedServers.write(out);
    }

    static ManualPins read(StateReader in) throws IOException {
        ManualPins pins = new ManualPins();
        pins.meanRegions = in.decimal();
        in.map(
                pins.pinByRegion,
                in::region,
                () -> new ManualPin(
                        in.table(),
                        in.server(),
                        in.server(),
                        PrintableName.of(in.name()),
                        in.time(),
                        heat(in.decimal())));
        if (in.version() > TrackerStateCodec.WITHOUT_UNLOADS) {
            pins.unloadedServers.read(in);
        }
        return pins;
    }

    private static OptionalDouble heat(double written) {
        return written < 0 ? OptionalDouble.empty() : OptionalDouble.of(written);
    }

    /**
     * The regions that somebody took off a server that was emptied, for a day: who brings one back there says nothing about where it
     * is to be, but goes on with the server's maintenance ({@code region_mover} loads what it has unloaded). Not thread-safe.
     */
    private static final class UnloadedServers {

        private static final long KEPT_MS = 24 * 3_600_000L;

        /** The most regions that are remembered; the oldest go first. */
        private static final int CAPACITY = 10_000;

        private final Map<EncodedRegionName, ManualMove> unloadByRegion = new LinkedHashMap<>();

        /** By these moves, regions left a server that was emptied. */
        void left(Collection<ManualMove> moves) {
            for (ManualMove move : moves) {
                unloadByRegion.remove(move.region());
                if (unloadByRegion.size() >= CAPACITY) {
                    unloadByRegion.remove(unloadByRegion.keySet().iterator().next());
                }
                unloadByRegion.put(move.region(), move);
            }
        }

        /** Whether this move brings a region back to where the same user took it away; it is where it was then, and forgotten. */
        boolean isReload(ManualMove move) {
            ManualMove away = unloadByRegion.get(move.region());
            boolean isBack =
                    away != null && away.who().equals(move.who()) && ManualPin.isSameServer(away.from(), move.to());
            if (isBack) {
                unloadByRegion.remove(move.region());
            }
            return isBack;
        }

        /** Whether the same user has taken regions off the server of this move so lately that this may be one of them. */
        boolean hasJustBeenUnloaded(ManualMove move) {
            return unloadByRegion.values().stream()
                    .anyMatch(away -> away.from().equals(move.from())
                            && away.who().equals(move.who())
                            && move.whenMs() - away.whenMs() <= BulkMoveDetector.WINDOW_MS);
        }

        /** Adds what another master saw, but for these regions: of them this one knows better. */
        void mergeOlder(UnloadedServers older, Set<EncodedRegionName> knownHere) {
            left(older.unloadByRegion.values().stream()
                    .filter(away -> !knownHere.contains(away.region()) && !unloadByRegion.containsKey(away.region()))
                    .toList());
        }

        void write(StateWriter out) throws IOException {
            out.list(unloadByRegion.values(), unloadByRegion.size(), away -> {
                out.region(away.region());
                out.server(away.from());
                out.server(away.to());
                out.name(away.who());
                out.number(away.whenMs());
            });
        }

        void read(StateReader in) throws IOException {
            List<ManualMove> moves = new ArrayList<>();
            in.list(
                    moves,
                    () -> new ManualMove(
                            in.region(), in.server(), in.server(), PrintableName.of(in.name()), in.time()));
            left(moves);
        }

        void forgetExpired(long nowMs) {
            unloadByRegion.values().removeIf(away -> away.whenMs() < nowMs - KEPT_MS);
        }
    }

    /**
     * One region that somebody put where it is. Immutable.
     *
     * @param server where it was put
     * @param heatThen reads and writes a second when it was put there; empty until they are known
     */
    record ManualPin(TableId table, ServerId from, ServerId server, String who, long whenMs, OptionalDouble heatThen) {

        /** A pinned region that is reported elsewhere this long after is not where it was put; shorter, and clocks may differ. */
        private static final long ELSEWHERE_AFTER_MS = 60_000;

        /** The move that put it there. */
        ManualMove move(EncodedRegionName region) {
            return new ManualMove(region, from, server, who, whenMs);
        }

        ManualPin withHeat(OptionalDouble heat) {
            return heatThen.isPresent() ? this : new ManualPin(table, from, server, who, whenMs, heat);
        }

        /** Whether its heat has doubled or halved; what is below the floor counts as the floor, so that noise does neither. */
        boolean hasChanged(OptionalDouble heatNow, double floor) {
            if (heatThen.isEmpty() || heatNow.isEmpty()) {
                return false;
            }
            double then = Math.max(heatThen.getAsDouble(), floor);
            double now = Math.max(heatNow.getAsDouble(), floor);
            return then > 0 && (now >= 2 * then || now <= then / 2);
        }

        /** Whether only other servers speak of it by now; the same server after a restart is no other. */
        boolean isElsewhere(EncodedRegionName region, ReportedLocations reportedLocations) {
            return reportedLocations.any(
                            region,
                            seen -> !isSameServer(seen.server(), server)
                                    && seen.reportTimeMs() > whenMs + ELSEWHERE_AFTER_MS)
                    && !reportedLocations.any(region, seen -> isSameServer(seen.server(), server));
        }

        /** Whether these are one server, be it in another of its lives. */
        static boolean isSameServer(ServerId one, ServerId other) {
            return one.host().equals(other.host()) && one.port() == other.port();
        }

        PinnedRegion listed(EncodedRegionName region, long manualPinMs) {
            return new PinnedRegion(
                    region,
                    table,
                    server,
                    Pin.MOVED_MANUALLY,
                    who,
                    Pin.MOVED_MANUALLY.reason() + ": from " + from + " to " + server,
                    whenMs,
                    whenMs + manualPinMs);
        }
    }
}
