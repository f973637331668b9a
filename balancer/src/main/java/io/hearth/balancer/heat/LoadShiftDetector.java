// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.ReportDeduplicator.ServerIncarnation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the servers whose load is another than in the long run: the rates of the last minute, summed over the regions of a
 * server, are farther from the sum of the long means than {@value #DEVIATIONS} standard deviations of that difference, and than
 * {@value #LEAST_SHARE} of a server's mean load. The regions of such a server begin anew with the rates of the last minute.
 *
 * <p>Swings of single regions cancel out over a server, a shift of its load does not: so regions that swing by 60 % leave a
 * server of fifteen alone for years, and twice the load is found in minutes. A region that alone is as far off begins anew too.
 * Confined to the lock of {@link HeatModel}.
 */
final class LoadShiftDetector {

    /** So far off by chance: once in some hundred thousand looks, of sums of many swings. */
    static final double DEVIATIONS = 4.5;

    /** So far off, it is certain enough to move a region again that was moved today. */
    private static final double DEVIATIONS_FOR_CERTAIN = 7;

    /** So far down is a region whose load has gone to another one that shifted; some that only swing are taken for one. */
    private static final double DEVIATIONS_BESIDE_A_SHIFT = 2;

    /** Less is no reason for a move. */
    static final double LEAST_SHARE = 0.02;

    /** What the mean of a server that nothing happens to may be off by, in standard deviations, in one of many servers. */
    private static final double WIDENED_BY = 2;

    private LoadShiftDetector() {}

    private static final class Sums {

        private final List<RegionLoadTracker> trackers = new ArrayList<>();
        private Rates recent = Rates.NONE;
        private Rates mean = Rates.NONE;
        private Rates variance = Rates.NONE;
        private Rates varianceOfMean = Rates.NONE;

        void add(RegionLoadTracker tracker, RateDecays decays) {
            trackers.add(tracker);
            recent = recent.plus(tracker.recent());
            mean = mean.plus(tracker.longTerm().mean());
            variance = variance.plus(tracker.longTerm().varianceOfDifference(decays));
            varianceOfMean = varianceOfMean.plus(tracker.longTerm().varianceOfMean(decays));
        }
    }

    /**
     * Lets the regions of every server that has shifted begin anew.
     *
     * @return how much larger than it is the most loaded server may look by chance, as a share of the mean load of a server; by it
     *     the triggers of plans are widened
     */
    static Rates look(Collection<RegionLoadTracker> regions, RateDecays decays, long nowMs) {
        Map<ServerIncarnation, Sums> sumsByServer = new HashMap<>();
        for (RegionLoadTracker tracker : regions) {
            Optional<ServerIncarnation> server = tracker.isRateFrozen() ? Optional.empty() : tracker.servedBy();
            server.ifPresent(incarnation -> sumsByServer
                    .computeIfAbsent(incarnation, first -> new Sums())
                    .add(tracker, decays));
        }
        if (sumsByServer.isEmpty()) {
            return Rates.NONE;
        }
        Rates all = Rates.NONE;
        for (Sums sums : sumsByServer.values()) {
            all = all.plus(sums.recent);
        }
        Rates fair = all.times(1.0 / sumsByServer.size());
        Rates variance = Rates.NONE;
        Set<RegionLoadTracker> shifted = new LinkedHashSet<>();
        Set<RegionLoadTracker> certain = new LinkedHashSet<>();
        for (Sums sums : sumsByServer.values()) {
            add(shifted, sums, decays, fair, DEVIATIONS);
            add(certain, sums, decays, fair, DEVIATIONS_FOR_CERTAIN);
            variance = variance.plus(sums.varianceOfMean.times(1.0 / sumsByServer.size()));
        }
        if (!shifted.isEmpty()) {
            // Load that came here has often left elsewhere: the two are to be seen at once. What a suspect server no
            // longer
            // serves has not left.
            regions.stream()
                    .filter(tracker -> !tracker.isRateFrozen() && hasFallen(tracker, decays, fair))
                    .forEach(shifted::add);
        }
        certain.forEach(tracker -> tracker.shifted(nowMs));
        shifted.forEach(tracker -> tracker.restart(decays));
        Rates meanVariance = variance;
        return Rates.of(counter -> noiseMargin(meanVariance.get(counter), fair.get(counter)));
    }

    private static void add(Set<RegionLoadTracker> to, Sums sums, RateDecays decays, Rates fair, double deviations) {
        if (hasShifted(sums.recent, sums.mean, sums.variance, fair, deviations)) {
            to.addAll(sums.trackers);
        } else {
            sums.trackers.stream()
                    .filter(tracker -> hasShifted(tracker, decays, fair, deviations))
                    .forEach(to::add);
        }
    }

    private static double noiseMargin(double variance, double fair) {
        return fair > 0 ? WIDENED_BY * Math.sqrt(variance) / fair : 0;
    }

    private static boolean hasShifted(RegionLoadTracker tracker, RateDecays decays, Rates fair, double deviations) {
        LongTermRates longTerm = tracker.longTerm();
        return hasShifted(tracker.recent(), longTerm.mean(), longTerm.varianceOfDifference(decays), fair, deviations);
    }

    private static boolean hasShifted(Rates recent, Rates mean, Rates variance, Rates fair, double deviations) {
        for (int counter = 0; counter < Rates.COUNTERS; counter++) {
            double difference = Math.abs(recent.get(counter) - mean.get(counter));
            if (isFar(difference, variance.get(counter), fair.get(counter), deviations)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasFallen(RegionLoadTracker tracker, RateDecays decays, Rates fair) {
        Rates recent = tracker.recent();
        Rates mean = tracker.longTerm().mean();
        Rates variance = tracker.longTerm().varianceOfDifference(decays);
        for (int counter = 0; counter < Rates.COUNTERS; counter++) {
            double difference = mean.get(counter) - recent.get(counter);
            if (isFar(difference, variance.get(counter), fair.get(counter), DEVIATIONS_BESIDE_A_SHIFT)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFar(double difference, double variance, double fair, double deviations) {
        return difference > Math.max(deviations * Math.sqrt(variance), LEAST_SHARE * fair);
    }
}
