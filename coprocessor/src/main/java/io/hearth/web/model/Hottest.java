package io.hearth.web.model;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.steering.PinnedRegion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.function.Function;

/** Finds the hottest regions by the larger of their shares of reads and of writes. */
final class Hottest {

    /** As many as an operator reads. */
    static final int SHOWN = 50;

    private record Candidate(SeenRegion region, int server, LoadDimension because, double share) {}

    private static final Comparator<Candidate> HOTTEST_LAST = Comparator.comparingDouble(Candidate::share)
            .thenComparing(candidate -> candidate.region().region(), Comparator.reverseOrder());

    private Hottest() {}

    static List<HotRow> of(Seen seen, Shares shares, Function<RegionId, List<OptionalDouble>> history) {
        PriorityQueue<Candidate> kept = new PriorityQueue<>(HOTTEST_LAST);
        for (int server = 0; server < seen.servers().size(); server++) {
            for (SeenRegion region : seen.servers().get(server).regions()) {
                Candidate candidate = candidate(region, server, seen, shares);
                if (candidate.share() > 0) {
                    kept.add(candidate);
                }
                if (kept.size() > SHOWN) {
                    kept.remove();
                }
            }
        }
        Map<RegionId, PinnedRegion> pins = new HashMap<>();
        seen.balancer().pins().forEach(pin -> pins.put(pin.region(), pin));
        Reasons reasons = new Reasons(seen, shares);
        List<HotRow> rows = new ArrayList<>();
        kept.stream().sorted(HOTTEST_LAST.reversed()).forEach(candidate -> {
            RegionId region = candidate.region().region();
            Optional<PinnedRegion> pin = Optional.ofNullable(pins.get(region));
            rows.add(new HotRow(
                    candidate.region(),
                    PageMaker.server(seen, candidate.server()),
                    candidate.because(),
                    candidate.share(),
                    history.apply(region),
                    pin,
                    reasons.of(candidate.region(), candidate.server(), pin)));
        });
        return rows;
    }

    private static Candidate candidate(SeenRegion region, int server, Seen seen, Shares shares) {
        LoadVector load = PageMaker.weighed(region, seen.weights());
        double reads = shares.of(load.get(LoadDimension.READS), LoadDimension.READS);
        double writes = shares.of(load.get(LoadDimension.WRITES), LoadDimension.WRITES);
        return reads >= writes
                ? new Candidate(region, server, LoadDimension.READS, reads)
                : new Candidate(region, server, LoadDimension.WRITES, writes);
    }
}
