package io.hearth.bench.cluster;

import io.hearth.load.LoadDriver;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What happens to a variant's cluster under load, one event after the other. */
final class Events {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);

    private final Scale scale;
    private final long seed;
    private final Site site;
    private final LoadDriver load;
    private final Remedy remedy;
    private final EventRun run;
    private final Consumer<String> says;

    Events(Variant variant, Scale scale, long seed, Site site, LoadDriver load, Consumer<String> says)
            throws IOException {
        this.scale = scale;
        this.seed = seed;
        this.site = site;
        this.load = load;
        this.remedy = new Remedy(variant, site);
        this.run = new EventRun(variant, scale, site.eyes(), remedy, load.latencies());
        this.says = says;
    }

    /** Lets all of them happen, and ends the load. */
    VariantResult run() throws IOException, InterruptedException {
        Map<Event, EventResult> events = scale.parts().contains(Part.EVENTS) ? events() : Map.of();
        Optional<HotSpotResult> hotSpot =
                scale.parts().contains(Part.HOT_SPOT) ? Optional.of(hotSpot()) : Optional.empty();
        Map<Part, RoundsResult> rounds = new EnumMap<>(Part.class);
        rounds(Part.AWAY, new TripAway(site)).ifPresent(result -> rounds.put(Part.AWAY, result));
        rounds(Part.BACK, new TripBack(site, load.table(), seed)).ifPresent(result -> rounds.put(Part.BACK, result));
        load.stop();
        return new VariantResult(
                events,
                hotSpot,
                rounds,
                load.requests().answered(),
                load.requests().errors(),
                load.requests().firstError().map(Throwable::toString).orElse(""));
    }

    private Map<Event, EventResult> events() throws IOException, InterruptedException {
        Map<Event, EventResult> events = new EnumMap<>(Event.class);
        Member victim = victim();
        for (Event event : Event.values()) {
            says.accept("   " + event.words() + " ...");
            EventResult result = run(event, victim);
            says.accept("      " + ClusterTable.inShort(result));
            events.put(event, result);
        }
        return events;
    }

    private EventResult run(Event event, Member victim) throws IOException, InterruptedException {
        return switch (event) {
            case CRASH -> {
                Calm.await(site);
                String host = victim.host().name();
                yield run.run(() -> site.cluster().kill(victim), hosts -> !hosts.containsValue(host));
            }
            case BACK -> {
                site.admin().balancerSwitch(false, true);
                site.cluster().start(victim);
                yield occupy(victim.host().name());
            }
            case EMPTY_HOST -> {
                site.admin().balancerSwitch(false, true);
                yield occupy(site.cluster().addHost(START_LIMIT).name());
            }
        };
    }

    /** Warms the RegionServer on that host; the event is that the balancer may use it. */
    private EventResult occupy(String host) throws IOException, InterruptedException {
        WarmUp.of(host, site, scale.warmUpSeconds(), seed);
        Calm.await(site);
        return run.run(() -> site.admin().balancerSwitch(true, true), hasItsShare(host));
    }

    /** No region has moved, so that nothing is compacted; Hearth heals as it does anywhere. */
    private HotSpotResult hotSpot() throws IOException, InterruptedException {
        says.accept("   a " + Part.HOT_SPOT.title() + " ...");
        Calm.await(site);
        remedy.begin(site.eyes().census().of(Set.of()));
        return new HotSpotRun(scale, site, load).run();
    }

    private Optional<RoundsResult> rounds(Part part, Trip trip) throws IOException, InterruptedException {
        if (!remedy.isAny() || !scale.parts().contains(part)) {
            return Optional.empty();
        }
        says.accept("   " + trip.words() + ", " + scale.rounds() + " times ...");
        return Optional.of(new Rounds(trip, scale, site, load, remedy).run());
    }

    /** The RegionServer with most bytes, but not the one with hbase:meta, whose recovery comes first. */
    private Member victim() throws IOException {
        String metaHost = site.eyes().metaHost();
        String host = site.eyes().census().bytesByHost().entrySet().stream()
                .filter(bytes -> !bytes.getKey().equals(metaHost))
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return site.cluster().member(Role.REGIONSERVER, host);
    }

    /** Two thirds of its even share of the regions: the stock balancer is content with less than all of it. */
    private Predicate<Map<String, String>> hasItsShare(String host) {
        return hosts -> {
            long own = hosts.values().stream().filter(host::equals).count();
            return own > 0 && 3 * own * site.cluster().layout().workers().size() >= 2L * hosts.size();
        };
    }
}
