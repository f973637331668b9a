package io.hearth.ui.model;

import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
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
final class HottestRegionFinder {

    /** As many as an operator reads. */
    static final int SHOWN = 50;

    private record Candidate(RegionStatus region, int server, LoadDimension because, double share) {}

    private static final Comparator<Candidate> HOTTEST_LAST = Comparator.comparingDouble(Candidate::share)
            .thenComparing(candidate -> candidate.region().region(), Comparator.reverseOrder());

    private HottestRegionFinder() {}

    static List<HotRegionRow> of(
            PageInput input, LoadShares shares, Function<EncodedRegionName, List<OptionalDouble>> history) {
        PriorityQueue<Candidate> kept = new PriorityQueue<>(HOTTEST_LAST);
        for (int server = 0; server < input.servers().size(); server++) {
            for (RegionStatus region : input.servers().get(server).regions()) {
                Candidate candidate = candidate(region, server, input, shares);
                if (candidate.share() > 0) {
                    kept.add(candidate);
                }
                if (kept.size() > SHOWN) {
                    kept.remove();
                }
            }
        }
        Map<EncodedRegionName, PinnedRegion> pins = new HashMap<>();
        input.balancer().pins().forEach(pin -> pins.put(pin.region(), pin));
        RegionMoveExplainer reasons = new RegionMoveExplainer(input, shares);
        List<HotRegionRow> rows = new ArrayList<>();
        kept.stream().sorted(HOTTEST_LAST.reversed()).forEach(candidate -> {
            EncodedRegionName region = candidate.region().region();
            Optional<PinnedRegion> pin = Optional.ofNullable(pins.get(region));
            rows.add(new HotRegionRow(
                    candidate.region(),
                    PageBuilder.server(input, candidate.server()),
                    candidate.because(),
                    candidate.share(),
                    history.apply(region),
                    pin,
                    reasons.of(candidate.region(), candidate.server(), pin)));
        });
        return rows;
    }

    private static Candidate candidate(RegionStatus region, int server, PageInput input, LoadShares shares) {
        LoadVector load = PageBuilder.weighed(region, input.weights());
        double reads = shares.of(load.get(LoadDimension.READS), LoadDimension.READS);
        double writes = shares.of(load.get(LoadDimension.WRITES), LoadDimension.WRITES);
        return reads >= writes
                ? new Candidate(region, server, LoadDimension.READS, reads)
                : new Candidate(region, server, LoadDimension.WRITES, writes);
    }
}
