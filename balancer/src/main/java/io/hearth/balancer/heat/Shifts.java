package io.hearth.balancer.heat;

import io.hearth.balancer.ingest.ServerRun;
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
final class Shifts {

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

    private Shifts() {}

    /**
     * How much larger than it is the most loaded server may look by chance, as a share of the mean load of a server; by it the
     * triggers of plans are widened.
     */
    record Doubt(double reads, double writes) {

        static final Doubt NONE = new Doubt(0, 0);
    }

    private static final class Sums {

        private final List<RegionTrack> tracks = new ArrayList<>();
        private Rates recent = Rates.NONE;
        private Rates mean = Rates.NONE;
        private Rates variance = Rates.NONE;
        private Rates varianceOfMean = Rates.NONE;

        void add(RegionTrack track, Horizons horizons) {
            tracks.add(track);
            recent = recent.plus(track.recent());
            mean = mean.plus(track.longRun().mean());
            variance = variance.plus(track.longRun().varianceOfDifference(horizons));
            varianceOfMean = varianceOfMean.plus(track.longRun().varianceOfMean(horizons));
        }
    }

    /** Lets the regions of every server that has shifted begin anew; says how much doubt is left. */
    static Doubt look(Collection<RegionTrack> regions, Horizons horizons, long nowMs) {
        Map<ServerRun, Sums> sumsByServer = new HashMap<>();
        for (RegionTrack track : regions) {
            Optional<ServerRun> server = track.isHeld() ? Optional.empty() : track.servedBy();
            server.ifPresent(run ->
                    sumsByServer.computeIfAbsent(run, first -> new Sums()).add(track, horizons));
        }
        if (sumsByServer.isEmpty()) {
            return Doubt.NONE;
        }
        Rates all = Rates.NONE;
        for (Sums sums : sumsByServer.values()) {
            all = all.plus(sums.recent);
        }
        Rates fair = all.times(1.0 / sumsByServer.size());
        Rates doubt = Rates.NONE;
        Set<RegionTrack> shifted = new LinkedHashSet<>();
        Set<RegionTrack> certain = new LinkedHashSet<>();
        for (Sums sums : sumsByServer.values()) {
            add(shifted, sums, horizons, fair, DEVIATIONS);
            add(certain, sums, horizons, fair, DEVIATIONS_FOR_CERTAIN);
            doubt = doubt.plus(sums.varianceOfMean.times(1.0 / sumsByServer.size()));
        }
        if (!shifted.isEmpty()) {
            // Load that came here has often left elsewhere: the two are to be seen at once.
            regions.stream().filter(track -> hasFallen(track, horizons, fair)).forEach(shifted::add);
        }
        certain.forEach(track -> track.shifted(nowMs));
        shifted.forEach(track -> track.beginAnew(horizons));
        return new Doubt(
                doubt(doubt.readsPerSecond(), fair.readsPerSecond()),
                doubt(doubt.writesPerSecond(), fair.writesPerSecond()));
    }

    private static void add(Set<RegionTrack> to, Sums sums, Horizons horizons, Rates fair, double deviations) {
        if (hasShifted(sums.recent, sums.mean, sums.variance, fair, deviations)) {
            to.addAll(sums.tracks);
        } else {
            sums.tracks.stream()
                    .filter(track -> hasShifted(track, horizons, fair, deviations))
                    .forEach(to::add);
        }
    }

    private static double doubt(double variance, double fair) {
        return fair > 0 ? WIDENED_BY * Math.sqrt(variance) / fair : 0;
    }

    private static boolean hasShifted(RegionTrack track, Horizons horizons, Rates fair, double deviations) {
        LongRun longRun = track.longRun();
        return hasShifted(track.recent(), longRun.mean(), longRun.varianceOfDifference(horizons), fair, deviations);
    }

    private static boolean hasShifted(Rates recent, Rates mean, Rates variance, Rates fair, double deviations) {
        return isFar(
                        Math.abs(recent.readsPerSecond() - mean.readsPerSecond()),
                        variance.readsPerSecond(),
                        fair.readsPerSecond(),
                        deviations)
                || isFar(
                        Math.abs(recent.writesPerSecond() - mean.writesPerSecond()),
                        variance.writesPerSecond(),
                        fair.writesPerSecond(),
                        deviations);
    }

    private static boolean hasFallen(RegionTrack track, Horizons horizons, Rates fair) {
        Rates recent = track.recent();
        Rates mean = track.longRun().mean();
        Rates variance = track.longRun().varianceOfDifference(horizons);
        return isFar(
                        mean.readsPerSecond() - recent.readsPerSecond(),
                        variance.readsPerSecond(),
                        fair.readsPerSecond(),
                        DEVIATIONS_BESIDE_A_SHIFT)
                || isFar(
                        mean.writesPerSecond() - recent.writesPerSecond(),
                        variance.writesPerSecond(),
                        fair.writesPerSecond(),
                        DEVIATIONS_BESIDE_A_SHIFT);
    }

    private static boolean isFar(double difference, double variance, double fair, double deviations) {
        return difference > Math.max(deviations * Math.sqrt(variance), LEAST_SHARE * fair);
    }
}
