package io.hearth.web.model;

import io.hearth.balancer.config.GoalConfig;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.load.LoadDimension;
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
import java.util.stream.Stream;

/** Says why a region was or was not moved, from the last plans and from what is remembered. Made for one page. */
final class Reasons {

    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Seen seen;
    private final Shares shares;
    private final Map<RegionId, LastWord> lastWordByRegion = new HashMap<>();

    /** What the last plan that named a region said of it: that it moved it, or that it left it. */
    private record LastWord(String words, Optional<NotMoved> left) {}

    Reasons(Seen seen, Shares shares) {
        this.seen = seen;
        this.shares = shares;
        for (Decision decision : seen.balancer().decisions()) {
            decision.plan()
                    .moves()
                    .forEach(move -> lastWordByRegion.putIfAbsent(
                            move.region(), new LastWord(moved(decision, move), Optional.empty())));
            decision.plan()
                    .notMoved()
                    .forEach(left -> lastWordByRegion.putIfAbsent(
                            left.region(), new LastWord(stayed(decision, left), Optional.of(left))));
        }
    }

    /** One sentence with its time, without its full stop. */
    String of(SeenRegion region, int server, Optional<PinnedRegion> pin) {
        Optional<String> lastWord = Optional.ofNullable(lastWordByRegion.get(region.region()))
                .filter(word ->
                        word.left().map(left -> isStillSo(left, region, server)).orElse(true))
                .map(LastWord::words);
        if (pin.isPresent()) {
            return pin.get().pin().reason() + " (" + pin.get().who() + ", "
                    + at(pin.get().sinceMs()) + ")"
                    + lastWord.map(word -> "; " + word).orElse("");
        }
        return lastWord.orElseGet(() -> unnamed(region, server));
    }

    /** Why no plan has a word that still holds for it. */
    private String unnamed(SeenRegion region, int server) {
        if (!seen.balancer().installed()) {
            return "the balancer is not Hearth's: nobody plans for heat";
        }
        if (region.table().isSystemTable()) {
            return "it belongs to a system table, which the stock balancer places";
        }
        boolean isAbove = Stream.of(LoadDimension.READS, LoadDimension.WRITES)
                .anyMatch(dimension -> shares.ofServer(server, dimension) > trigger(dimension));
        return isAbove
                ? "its server is above its target at " + at(seen.atMs()) + ", and no run since then has named it"
                : "its server is not above its target at " + at(seen.atMs()) + ": no plan has to move it";
    }

    /** Whether the reason why it was left is there still: a sentence about load that has gone would be a lie. */
    private boolean isStillSo(NotMoved left, SeenRegion region, int server) {
        LoadDimension because = left.because();
        boolean isThere = left.server().equals(seen.servers().get(server).server());
        boolean isServerAbove = shares.ofServer(server, because) > trigger(because);
        double own =
                shares.of(PageMaker.weighed(region, seen.weights()).get(because), because) / shares.capacity(server);
        return isThere && isServerAbove && (left.reason() != NotMoved.Reason.ABOVE_FAIR_SHARE || own > 1);
    }

    private double trigger(LoadDimension dimension) {
        GoalConfig goals = seen.balancer().config().goals();
        return dimension == LoadDimension.STORE_SIZE ? goals.storeSizeSkewTrigger() : goals.skewTrigger();
    }

    private static String moved(Decision decision, PlannedMove move) {
        String what = String.format(
                Locale.ROOT,
                "from %s:%d to %s:%d for %s",
                move.from().host(),
                move.from().port(),
                move.to().host(),
                move.to().port(),
                move.because().label());
        return decision.adviseOnly()
                .map(why -> "would have gone at " + at(decision.atMs()) + " " + what + ", but " + why)
                .orElse("moved at " + at(decision.atMs()) + " " + what);
    }

    private static String stayed(Decision decision, NotMoved left) {
        return "stayed at " + at(decision.atMs()) + ": " + left.why();
    }

    private static String at(long ms) {
        return AT.format(Instant.ofEpochMilli(ms));
    }
}
