package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.MoveTally;
import io.hearth.demo.measure.RegionBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What looks at a table have seen since an event: which regions are elsewhere now, how much of them is local, and how much was not when they
 * arrived. Not thread-safe.
 */
final class Assignments {

    /** @param nanos when it was taken, by {@link System#nanoTime} */
    private record Look(long nanos, LocalityCensus census) {}

    private final Map<String, String> hostsBefore;
    private final MoveTally tally;
    private final List<Look> looks = new ArrayList<>();
    private final long eventNanos;

    /** @param before the table just before the event */
    Assignments(LocalityCensus before, long eventNanos) {
        this.hostsBefore = hosts(before);
        this.tally = new MoveTally(before);
        this.eventNanos = eventNanos;
    }

    static Map<String, String> hosts(LocalityCensus census) {
        return census.regions().stream()
                .collect(Collectors.toMap(RegionBlocks::region, RegionBlocks::host, (a, b) -> b, TreeMap::new));
    }

    void add(long nanos, LocalityCensus census) {
        tally.look(census);
        looks.add(new Look(nanos, census));
    }

    long nonLocalBytes() {
        return tally.nonLocalBytes();
    }

    /** The regions that are elsewhere than before the event, by the last look. */
    Set<String> moved() {
        Set<String> moved = new TreeSet<>();
        last().forEach((region, host) -> {
            if (!host.equals(hostsBefore.get(region))) {
                moved.add(region);
            }
        });
        return moved;
    }

    /** The server of each region, by the last look. */
    Map<String, String> last() {
        return hosts(looks.get(looks.size() - 1).census());
    }

    /** When the regions came to be as the last look sees them. */
    long sinceNanos() {
        Map<String, String> last = last();
        int look = looks.size() - 1;
        while (look > 0 && hosts(looks.get(look - 1).census()).equals(last)) {
            look--;
        }
        return looks.get(look).nanos();
    }

    /** How much of these regions is local, 0 to 1, at each look. */
    List<Point> locality(Set<String> regions) {
        return looks.stream()
                .map(look -> new Point(
                        (look.nanos() - eventNanos) / 1e9,
                        look.census().of(regions).locality()))
                .toList();
    }
}
