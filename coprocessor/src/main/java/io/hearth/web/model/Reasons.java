package io.hearth.web.model;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.steering.PinnedRegion;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Says why a region was or was not moved, from the last plans and from what is remembered. Made for one page. */
final class Reasons {

    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final BalancerWord balancer;
    private final Map<RegionId, String> lastWordByRegion = new HashMap<>();

    Reasons(BalancerWord balancer) {
        this.balancer = balancer;
        for (Decision decision : balancer.decisions()) {
            decision.plan().moves().forEach(move -> lastWordByRegion.putIfAbsent(move.region(), moved(decision, move)));
            decision.plan()
                    .notMoved()
                    .forEach(left -> lastWordByRegion.putIfAbsent(left.region(), stayed(decision, left)));
        }
    }

    /** One sentence, without its full stop. */
    String of(SeenRegion region, Optional<PinnedRegion> pin) {
        String lastWord = lastWordByRegion.get(region.region());
        if (pin.isPresent()) {
            return pin.get().pin().reason() + " (" + pin.get().who() + ")" + (lastWord == null ? "" : "; " + lastWord);
        }
        if (lastWord != null) {
            return lastWord;
        }
        if (!balancer.installed()) {
            return "the balancer is not Hearth's: nobody plans for heat";
        }
        if (region.table().isSystemTable()) {
            return "it belongs to a system table, which the stock balancer places";
        }
        return "no plan has had to name it: its server was not above its target, or no run has been since";
    }

    private static String moved(Decision decision, PlannedMove move) {
        String what = String.format(
                Locale.ROOT,
                "from %s:%d to %s:%d for %s, gain %.2f",
                move.from().host(),
                move.from().port(),
                move.to().host(),
                move.to().port(),
                move.because().label(),
                move.merit().net());
        return decision.adviseOnly()
                .map(why -> "would have gone at " + at(decision) + " " + what + ", but " + why)
                .orElse("moved at " + at(decision) + " " + what);
    }

    private static String stayed(Decision decision, NotMoved left) {
        return "stayed at " + at(decision) + ": " + left.why();
    }

    private static String at(Decision decision) {
        return AT.format(Instant.ofEpochMilli(decision.atMs()));
    }
}
