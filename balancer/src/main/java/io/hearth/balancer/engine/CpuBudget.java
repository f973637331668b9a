// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How much less often Hearth's loops run in an HMaster, so that its processor time keeps to a share of one core: a credit of processor
 * time that grows at this share to what comes in ten minutes, so that a start or a crash may take more for a while. Debt is as much at
 * most: what was used hours ago has no part in what is used now.
 *
 * <ul>
 *   <li>Once a minute it is looked at. In debt, and with more used than the share in the last minute and as a mean of ten, the stretch
 *       doubles, to {@value #MAX_STRETCH} at most: loops run so many times less often. A plan that fills the one minute is no reason.
 *   <li>Once ten minutes with half the stretch would have kept to the share it is halved. What was used in each minute counts by the
 *       stretch of that minute; what takes as much at any stretch, as plans and placement do, as it is
 *       ({@link MasterWork#mostStretched}).
 * </ul>
 *
 * <p>Worked example: at a share of 0.05 the credit is 30 s. Loops that take 0.08 cores use it up in a quarter of an hour; at a stretch of 2
 * they take 0.04, and would take 0.08 again at 1, so there they stay. Not thread-safe.
 */
public final class CpuBudget {

    public static final int MAX_STRETCH = 16;

    /** The time over which the share is measured, and of which the credit is the processor time. */
    public static final long WINDOW_MS = 600_000;

    static final long LOOK_EVERY_MS = 60_000;

    private static final double NANOS_PER_MS = 1e6;
    private static final int NAMED = 3;

    private final Deque<Used> looks = new ArrayDeque<>();
    /** In nanoseconds; below 0 in debt. */
    private long credit = Long.MAX_VALUE;

    private int stretch = 1;
    private long timesStretched;

    /** The processor time of each kind of work so far, in nanoseconds, at one time, and the stretch until then. */
    private record Used(long atMs, Map<MasterWork, Long> nanosByWork, int stretch) {

        long nanos() {
            return nanosByWork.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Of one core between then and a later time. */
        double shareUntil(Used later) {
            return shareOf(later.nanos() - nanos(), later);
        }

        /** The same of each kind. */
        Map<MasterWork, Double> sharesUntil(Used later) {
            Map<MasterWork, Double> shares = new EnumMap<>(MasterWork.class);
            later.nanosByWork.forEach(
                    (work, nanos) -> shares.put(work, shareOf(nanos - nanosByWork.getOrDefault(work, 0L), later)));
            return shares;
        }

        /** What would have been used until a later look if loops had run at this stretch meanwhile, in nanoseconds. */
        double nanosUntil(Used later, int atStretch) {
            double nanos = 0;
            for (Map.Entry<MasterWork, Long> ofWork : later.nanosByWork.entrySet()) {
                MasterWork work = ofWork.getKey();
                double times = (double) Math.min(later.stretch, work.mostStretched())
                        / Math.min(atStretch, work.mostStretched());
                nanos += times * (ofWork.getValue() - nanosByWork.getOrDefault(work, 0L));
            }
            return nanos;
        }

        private double shareOf(long nanos, Used later) {
            long ms = later.atMs - atMs;
            return ms <= 0 ? 0 : nanos / (NANOS_PER_MS * ms);
        }
    }

    /**
     * Takes what was used so far; looks at it if a minute has passed.
     *
     * @param nanosByWork the processor time of each kind of work since the process began, in nanoseconds
     * @param allowed the share of one core, above 0
     * @param nowMs by a clock that does not go back
     * @return a line for the log where loops run less often from now on, or as often as set again
     */
    public Optional<String> look(Map<MasterWork, Long> nanosByWork, double allowed, long nowMs) {
        Used last = looks.peekLast();
        if (last != null && nowMs - last.atMs < LOOK_EVERY_MS) {
            return Optional.empty();
        }
        Map<MasterWork, Long> copy = new EnumMap<>(MasterWork.class);
        copy.putAll(nanosByWork);
        Used now = new Used(nowMs, copy, stretch);
        looks.addLast(now);
        while (looks.size() > 2 && nowMs - looks.getFirst().atMs > WINDOW_MS) {
            looks.removeFirst();
        }
        return last == null ? Optional.empty() : stretched(last, now, allowed);
    }

    private Optional<String> stretched(Used last, Used now, double allowed) {
        charge(now.nanos() - last.nanos(), now.atMs - last.atMs, allowed);
        boolean isAbove = credit <= 0 && last.shareUntil(now) > allowed && share() > allowed;
        if (isAbove && stretch < MAX_STRETCH) {
            stretch *= 2;
            timesStretched++;
            return Optional.of(String.format(
                    Locale.ROOT,
                    "Hearth has used %s of one core in %d min, more than hearth.master.cpu.share = %s allows (%s): its polls, page,"
                            + " doctor, saving of state and look-ups of blocks come %d times less often than set.",
                    percent(share()),
                    minutes(),
                    allowed,
                    most(),
                    stretch));
        }
        if (stretch > 1 && shareAtHalfTheStretch() <= allowed) {
            stretch /= 2;
            return stretch > 1
                    ? Optional.empty()
                    : Optional.of(String.format(
                            Locale.ROOT,
                            "Hearth has used %s of one core in %d min (hearth.master.cpu.share = %s): its loops run as often as set again.",
                            percent(share()),
                            minutes(),
                            allowed));
        }
        return Optional.empty();
    }

    private void charge(long nanos, long ms, double allowed) {
        long most = Math.round(allowed * WINDOW_MS * NANOS_PER_MS);
        long grown = Math.min(most, credit) + Math.round(allowed * ms * NANOS_PER_MS);
        credit = Math.max(-most, Math.min(most, grown) - nanos);
    }

    /** The mean of ten minutes if loops had run twice as often as now in all of them. */
    private double shareAtHalfTheStretch() {
        double nanos = 0;
        Used before = looks.getFirst();
        for (Used look : looks) {
            nanos += before.nanosUntil(look, stretch / 2);
            before = look;
        }
        return nanos / (NANOS_PER_MS * (looks.getLast().atMs - looks.getFirst().atMs));
    }

    /** How many times less often than set loops run: 1, 2, 4 ... */
    public int stretch() {
        return stretch;
    }

    /** How often the stretch was doubled. */
    public long timesStretched() {
        return timesStretched;
    }

    /** The mean of the last ten minutes, of one core; 0 before the second look. */
    public double share() {
        Used first = looks.peekFirst();
        return first == null ? 0 : first.shareUntil(looks.getLast());
    }

    private long minutes() {
        return Math.round((looks.getLast().atMs - looks.getFirst().atMs) / 60_000.0);
    }

    /** Of each kind of work the same mean. */
    private Map<MasterWork, Double> shares() {
        return looks.getFirst().sharesUntil(looks.getLast());
    }

    /** The three kinds of work that took most, with their shares. */
    private String most() {
        return shares().entrySet().stream()
                .sorted(Collections.reverseOrder(Comparator.comparingDouble(Map.Entry<MasterWork, Double>::getValue)))
                .limit(NAMED)
                .filter(entry -> entry.getValue() > 0)
                .map(entry -> entry.getKey().label() + " " + percent(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
