package io.hearth.balancer.steering;

import io.hearth.balancer.config.SteeringConfig;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.steering.BulkMoves.Bulk;
import io.hearth.balancer.steering.BulkMoves.HandMove;
import io.hearth.balancer.steering.SteeringNews.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The regions that somebody moved by hand and that stay there for a time: until it is over, their heat has doubled or halved,
 * they are elsewhere, or somebody lifts it. What tools do to a server as a whole pins nothing. Not thread-safe.
 */
final class HandPins {

    private final Map<RegionId, HandPin> pinByRegion = new HashMap<>();
    private final BulkMoves bulkMoves = new BulkMoves();
    private final EmptiedServers emptiedServers = new EmptiedServers();
    private double meanRegions;

    /** Takes a move by hand; pins its region unless it is no wish to have it there. */
    void moved(HandMove move, TableId table, boolean fromDraining, SteeringConfig config, NewsBox news) {
        pinByRegion.remove(move.region());
        bulkMoves.emptiedBefore(move, meanRegions).forEach(bulk -> emptied(bulk, move.whenMs(), news));
        if (emptiedServers.isBroughtBack(move)) {
            news.add(
                    move.whenMs(),
                    Kind.HAND_MOVE_NOT_PINNED,
                    text(move, "it is brought back to a server that was emptied"));
            return;
        }
        if (fromDraining) {
            emptiedServers.left(List.of(move));
            news.add(move.whenMs(), Kind.HAND_MOVE_NOT_PINNED, text(move, "that server is being emptied"));
            return;
        }
        Optional<Bulk> bulk = bulkMoves.add(move, meanRegions);
        if (bulk.isPresent()) {
            unpin(bulk.get(), move.whenMs(), news);
        } else if (config.liftedPins().contains(move.region().encodedName())) {
            news.add(move.whenMs(), Kind.HAND_MOVE_NOT_PINNED, text(move, "hearth.balancer.pins.lifted names it"));
        } else if (config.handPinMs() > 0) {
            HandPin pin = new HandPin(table, move.from(), move.to(), move.who(), move.whenMs(), OptionalDouble.empty());
            pinByRegion.put(move.region(), pin);
            news.add(
                    move.whenMs(),
                    Kind.HAND_PIN_SET,
                    move.region() + " of " + table + " was moved from " + move.from() + " to " + move.to() + " by "
                            + move.who() + " and stays there for " + Times.span(config.handPinMs()));
        }
    }

    private static String text(HandMove move, String why) {
        return move.region() + " was moved from " + move.from() + " to " + move.to() + " by " + move.who()
                + " and is not pinned: " + why;
    }

    private void emptied(Bulk bulk, long nowMs, NewsBox news) {
        unpin(bulk, nowMs, news);
        emptiedServers.left(bulk.moves());
    }

    private void unpin(Bulk bulk, long nowMs, NewsBox news) {
        bulk.moves().forEach(move -> {
            HandPin pin = pinByRegion.get(move.region());
            if (pin != null && pin.whenMs() == move.whenMs()) {
                pinByRegion.remove(move.region());
            }
        });
        if (bulk.isNew()) {
            news.add(
                    nowMs,
                    Kind.BULK_MOVE,
                    bulk.moves().get(0).who() + " moved " + bulk.moves().size() + " regions " + bulk.what() + " within "
                            + Times.span(BulkMoves.WINDOW_MS) + ": none of them is pinned");
        }
    }

    /** Lifts what these reports and heats lift. */
    void observed(
            Sightings sightings,
            Map<RegionId, OptionalDouble> heatByRegion,
            long nowMs,
            SteeringConfig config,
            NewsBox news) {
        if (sightings.meanRegions() > 0) {
            meanRegions = sightings.meanRegions();
        }
        bulkMoves.observed(sightings.byServer(), meanRegions, nowMs).forEach(bulk -> emptied(bulk, nowMs, news));
        emptiedServers.forgetExpired(nowMs);
        pinByRegion.replaceAll(
                (region, pin) -> pin.withHeat(heatByRegion.getOrDefault(region, OptionalDouble.empty())));
        pinByRegion.entrySet().removeIf(entry -> {
            Optional<String> why = whyOver(entry.getKey(), entry.getValue(), sightings, heatByRegion, nowMs, config);
            why.ifPresent(
                    reason -> news.add(nowMs, Kind.HAND_PIN_OVER, over(entry.getKey(), entry.getValue(), reason)));
            return why.isPresent();
        });
    }

    private static Optional<String> whyOver(
            RegionId region,
            HandPin pin,
            Sightings sightings,
            Map<RegionId, OptionalDouble> heatByRegion,
            long nowMs,
            SteeringConfig config) {
        if (nowMs >= pin.whenMs() + config.handPinMs()) {
            return Optional.of("its time is over");
        }
        if (pin.isElsewhere(region, sightings)) {
            return Optional.of("it is elsewhere by now");
        }
        OptionalDouble heatNow = heatByRegion.getOrDefault(region, OptionalDouble.empty());
        return pin.hasChanged(heatNow, config.handPinMinRequestsPerSecond())
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "its heat went from %.0f to %.0f requests/s",
                        pin.heatThen().orElseThrow(),
                        heatNow.orElseThrow()))
                : Optional.empty();
    }

    private static String over(RegionId region, HandPin pin, String reason) {
        return region + " of " + pin.table() + ", which " + pin.who() + " moved to " + pin.server()
                + ", is no longer pinned: " + reason;
    }

    /** Lifts this pin; says whether there was one. */
    boolean lift(RegionId region, String by, long nowMs, NewsBox news) {
        HandPin pin = pinByRegion.remove(region);
        if (pin != null) {
            news.add(nowMs, Kind.HAND_PIN_OVER, over(region, pin, by));
        }
        return pin != null;
    }

    void forget(RegionId region, long nowMs, NewsBox news) {
        lift(region, "no server has reported it for " + Times.span(Steering.GONE_MS), nowMs, news);
    }

    void pin(Map<RegionId, Pin> pins, long nowMs, SteeringConfig config) {
        pinByRegion.forEach((region, pin) -> {
            if (nowMs < pin.whenMs() + config.handPinMs()) {
                pins.put(region, Pin.MOVED_BY_HAND);
            }
        });
    }

    void list(Consumer<PinnedRegion> list, long nowMs, SteeringConfig config) {
        pinByRegion.forEach((region, pin) -> {
            if (nowMs < pin.whenMs() + config.handPinMs()) {
                list.accept(pin.listed(region, config.handPinMs()));
            }
        });
    }

    /** Adds another master's pins, but for these regions: of them this one knows better. */
    void putUnder(HandPins older, Set<RegionId> knownHere) {
        older.pinByRegion.forEach((region, pin) -> {
            if (!knownHere.contains(region)) {
                pinByRegion.putIfAbsent(region, pin);
            }
        });
        meanRegions = meanRegions > 0 ? meanRegions : older.meanRegions;
    }

    Set<RegionId> regions() {
        return pinByRegion.keySet();
    }

    void write(StateOut out) throws IOException {
        out.decimal(meanRegions);
        out.map(pinByRegion, out::region, pin -> {
            out.table(pin.table());
            out.server(pin.from());
            out.server(pin.server());
            out.name(pin.who());
            out.number(pin.whenMs());
            out.decimal(pin.heatThen().orElse(-1));
        });
    }

    static HandPins read(StateIn in) throws IOException {
        HandPins pins = new HandPins();
        pins.meanRegions = in.decimal();
        in.map(
                pins.pinByRegion,
                in::region,
                () -> new HandPin(in.table(), in.server(), in.server(), in.name(), in.time(), heat(in.decimal())));
        return pins;
    }

    private static OptionalDouble heat(double written) {
        return written < 0 ? OptionalDouble.empty() : OptionalDouble.of(written);
    }
}
