package io.hearth.balancer.placement;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The regions that were given to a server after the last look at the reports: they count as being there, or the next call
 * would fill the same server again. An entry ends when a report shows the region there, or after {@value #KEEP_MS} ms, when
 * reports know better. Thread-safe; no method blocks or calls elsewhere.
 */
public final class RecentPlacements {

    /** Opening a region takes seconds; whatever has not opened in this time was given to another server. Milliseconds. */
    static final long KEEP_MS = 120_000;

    private final Map<RegionId, Given> givenByRegion = new HashMap<>();

    /** A region was given to this server; where the view shows it there already, nothing is left to be remembered. */
    public synchronized void given(RegionId region, ServerId server, PlacementView view, long nowMs) {
        if (view.serverOf(region).equals(Optional.of(server))) {
            givenByRegion.remove(region);
        } else {
            givenByRegion.put(region, new Given(server, nowMs));
        }
    }

    /** Forgets what this newer view shows, and what is too old to be true. */
    public synchronized void settle(PlacementView view) {
        // What was given after now, by a clock that was set back, counts as given now.
        givenByRegion.replaceAll((region, given) -> new Given(given.server, Math.min(given.givenMs, view.takenMs())));
        givenByRegion
                .entrySet()
                .removeIf(entry -> entry.getValue().givenMs < view.takenMs() - KEEP_MS
                        || view.serverOf(entry.getKey()).equals(Optional.of(entry.getValue().server)));
    }

    /** Every region that counts for another server than the view says, with that server. */
    public synchronized Map<RegionId, ServerId> serverByRegion() {
        Map<RegionId, ServerId> servers = new HashMap<>();
        givenByRegion.forEach((region, given) -> servers.put(region, given.server));
        return servers;
    }

    private record Given(ServerId server, long givenMs) {}
}
