// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.heat.ingest.PlausibilityCheck;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.RegionCounters;
import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All that is kept of one region: its counters, its rates (smoothed, recent, last, over hours, and on arrival at its server), its
 * sizes, and its place in its table. There is one for each region, so its fields are packed. Not thread-safe.
 */
final class RegionLoadTracker extends RegionCounters {

    /** So long after a region has landed on a server it may tell of that server, in milliseconds. */
    private static final long ARRIVED_MS = 1_800_000;

    /** A region that serves this part of what it came with has kept its heat. */
    private static final double KEPT = 0.7;

    /** Reports come closer together after a move: the last rates are those of this time at least, in milliseconds. */
    private static final double LAST_MS = 10_000;

    private static final long NEVER = Long.MIN_VALUE;

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private static final int SMOOTHED = 0;
    private static final int RECENT = Rates.COUNTERS;

    private static final int LAST = 0;
    /** Rates over hours, which unlike {@link LongTermRates} do not begin anew where load shifts. */
    private static final int REFERENCE = Rates.COUNTERS;

    /** Sizes follow the rates on arrival, as they follow the counters among the dimensions. */
    private static final int ARRIVAL = 2 * Rates.COUNTERS;

    private final RegionNameHash name;
    private final TableId table;
    private final byte @Nullable [] startKey;
    // The smoothed rates, then the recent ones.
    private final double[] decayed = new double[2 * Rates.COUNTERS];
    private long observedMs;
    private long seenAtMs;
    private long shiftedAtMs = Long.MIN_VALUE;
    private final LongTermRates longTerm = new LongTermRates();
    private boolean rateFrozen;
    // The last rates, the reference rates, those on arrival, and the sizes; whole megabytes as HBase reports them are
    // exact in a float up to 16 TB.
    private final float[] packed = new float[ARRIVAL + DIMENSIONS.length];
    private float nonLocalShare;
    private @Nullable MinuteWindow window;
    private boolean hasLast;
    private long arrivedMs = NEVER;

    RegionLoadTracker(RegionNameHash name, TableId table, RegionReport report) {
        this.name = name;
        this.table = table;
        startKey = report.nameInfo()
                .map(nameInfo -> nameInfo.startKey().getBytes(StandardCharsets.ISO_8859_1))
                .orElse(null);
    }

    /**
     * Adds what the region did since the last look, and how large it is now.
     *
     * @param isRateFrozen whether its server does not serve what it is asked for, so that the rates that plans use stay as they are
     */
    void learn(RegionSample sample, RegionReport report, RateDecays decays, boolean isRateFrozen, long nowMs) {
        if (sample.hasRate()) {
            Rates rates = sample.perSecond();
            rates.blendInto(decayed, RECENT, decays.recent().shareOfNewer(observedMs, sample.elapsedMs()));
            rateFrozen = isRateFrozen;
            rates.blendInto(packed, LAST, hasLast ? Math.min(1, sample.elapsedMs() / LAST_MS) : 1);
            hasLast = true;
            if (!isRateFrozen || observedMs == 0) {
                double smoothedShare = decays.smoothed().shareOfNewer(observedMs, sample.elapsedMs());
                rates.blendInto(decayed, SMOOTHED, smoothedShare);
                observedMs += sample.elapsedMs();
                learnReference(sample.elapsedMs(), decays);
                longTerm.learn(rates, recent(), sample.elapsedMs(), decays);
            }
            // While its server is held it tells whether that serves again: of few others there may be none to tell.
            if (arrivedMs != NEVER
                    && !isRateFrozen
                    && rates.total() >= KEPT * arrivalRates().total()) {
                arrivedMs = NEVER;
            }
        }
        if (PlausibilityCheck.hasPossibleSizes(report)) {
            for (LoadDimension dimension : DIMENSIONS) {
                if (!dimension.isCounter()) {
                    packed[ARRIVAL + dimension.ordinal()] = report.load().get(dimension);
                }
            }
            nonLocalShare = (float) report.nonLocalShare();
        }
        seenAtMs = nowMs;
        // What happened after now, by a clock that was set back, counts as of now.
        shiftedAtMs = Math.min(shiftedAtMs, nowMs);
        arrivedMs = Math.min(arrivedMs, nowMs);
    }

    /** Another server has it from now on: what it served until now is what it may be expected to serve there. */
    void arrives(long nowMs) {
        smoothed().putInto(packed, ARRIVAL);
        arrivedMs = nowMs;
    }

    /**
     * Whether it has landed on its server and has not been seen at its heat there since, while that was believed.
     *
     * @param whenMs now, or since when its server has been held
     */
    boolean hasJustArrived(long whenMs) {
        return arrivedMs != NEVER && arrivedMs >= whenMs - ARRIVED_MS;
    }

    /** The rates that it came with to its server. */
    Rates arrivalRates() {
        return Rates.in(packed, ARRIVAL);
    }

    /** It lost its heat by landing on a server that does not serve it: the rates that it came with are those that count. */
    void restoreArrivalRates() {
        setSmoothed(arrivalRates());
    }

    /** Once in some reports: the mean of hours of rates that are means of minutes. */
    private void learnReference(long elapsedMs, RateDecays decays) {
        long stepMs = decays.intervalMs();
        if (observedMs < stepMs) {
            smoothed().putInto(packed, REFERENCE);
        } else if (observedMs / stepMs != (observedMs - elapsedMs) / stepMs) {
            long newMs = Math.max(stepMs, elapsedMs);
            smoothed()
                    .blendInto(
                            packed, REFERENCE, decays.longTerm().shareOfNewer(Math.max(0, observedMs - newMs), newMs));
        }
    }

    /** What it served over hours: what may be expected of it where its server has declined for as long. */
    Rates referenceRates() {
        return Rates.in(packed, REFERENCE);
    }

    /** Its heat went with its server over hours: what it served over them is what counts. */
    void restoreReferenceRates() {
        setSmoothed(referenceRates());
    }

    /** Puts what was known before under what has been learnt here: the newer counts as what it is, the newer. */
    void mergeOlder(InheritedRates inherited, RateDecays decays) {
        if (observedMs == 0) {
            setSmoothed(inherited.smoothed());
            setRecent(inherited.recent());
            inheritedReference(inherited).putInto(packed, REFERENCE);
        } else {
            double smoothedShare = decays.smoothed().shareOfNewer(inherited.observedMs(), observedMs);
            double recentShare = decays.recent().shareOfNewer(inherited.observedMs(), observedMs);
            setSmoothed(inherited.smoothed().towards(smoothed(), smoothedShare));
            setRecent(inherited.recent().towards(recent(), recentShare));
            double longShare = decays.longTerm().shareOfNewer(inherited.observedMs(), observedMs);
            inheritedReference(inherited).towards(referenceRates(), longShare).putInto(packed, REFERENCE);
        }
        observedMs += inherited.observedMs();
        longTerm.mergeOlder(inherited.longTerm(), smoothed(), decays);
        shiftedAtMs = Math.max(shiftedAtMs, inherited.longTerm().shiftedAtMs());
    }

    private static Rates inheritedReference(InheritedRates inherited) {
        return inherited.longTerm().observedMs() > 0 ? inherited.longTerm().mean() : inherited.smoothed();
    }

    /** What it has now is taken for what it has in the long run. */
    void restart(RateDecays decays) {
        longTerm.restart(recent(), decays);
    }

    /** It is certain that its load, or that of its server, is another than in the long run. */
    void shifted(long nowMs) {
        shiftedAtMs = nowMs;
    }

    /** Whether its server does not serve what it is asked for, by its last report. */
    boolean isRateFrozen() {
        return rateFrozen;
    }

    LongTermRates longTerm() {
        return longTerm;
    }

    /** When its load was last found to be another than in the long run, by our clock; long ago where it never was. */
    long shiftedAtMs() {
        return shiftedAtMs;
    }

    InheritedRates toInherited() {
        return new InheritedRates(observedMs, smoothed(), recent(), longTerm.toInherited(shiftedAtMs));
    }

    /** Its heat as plans and the page know it: its rates, with what its reads cost and its table weighs, and its sizes. */
    RegionHeat heat(HeatConfig config, TableWeights weights) {
        if (observedMs < config.minObservedMs()) {
            return new RegionHeat.Unknown(
                    RegionHeat.Reason.OBSERVED_TOO_BRIEFLY,
                    LoadVector.of(dimension -> dimension.isCounter() ? packed[LAST + dimension.ordinal()] : 0));
        }
        double readCost = readCost(config);
        boolean mayBeSwinging = config.filtersNoise() && !rateFrozen;
        return new RegionHeat.Known(
                load(counter -> decayed[SMOOTHED + counter], 1),
                load(counter -> decayed[RECENT + counter], 1),
                load(counter -> packed[LAST + counter], 1),
                readCost,
                planned(mayBeSwinging ? longTerm::mean : counter -> decayed[SMOOTHED + counter], readCost, weights));
    }

    /** A read counts more where some of them are not local. */
    private double readCost(HeatConfig config) {
        return 1 + config.remoteReadPenalty() * nonLocalShare;
    }

    /** Its load of the last minutes, with what its reads cost and its table weighs; empty where its heat is unknown. */
    Optional<LoadVector> weightedLoad(HeatConfig config, TableWeights weights) {
        return observedMs < config.minObservedMs()
                ? Optional.empty()
                : Optional.of(planned(counter -> decayed[SMOOTHED + counter], readCost(config), weights));
    }

    /** What plans count of these rates. */
    private LoadVector planned(IntToDoubleFunction rateOf, double readCost, TableWeights weights) {
        return weights.of(table).weigh(load(rateOf, readCost));
    }

    private LoadVector load(IntToDoubleFunction rateOf, double readCost) {
        return LoadVector.of(dimension -> {
            if (dimension.isCounter()) {
                double rate = rateOf.applyAsDouble(dimension.ordinal());
                return dimension == LoadDimension.READS ? rate * readCost : rate;
            }
            return size(dimension);
        });
    }

    private double size(LoadDimension dimension) {
        return packed[ARRIVAL + dimension.ordinal()];
    }

    Rates smoothed() {
        return Rates.in(decayed, SMOOTHED);
    }

    Rates recent() {
        return Rates.in(decayed, RECENT);
    }

    /** The rates between the last two reports, blended with those before where the two are less than {@link #LAST_MS} apart. */
    Rates last() {
        return Rates.in(packed, LAST);
    }

    long observedMs() {
        return observedMs;
    }

    /** When a report of it was last taken, by our clock. */
    long seenAtMs() {
        return seenAtMs;
    }

    /** Counts the last report of it as taken this much later, or earlier where it is below 0. */
    void shiftSeenAt(long ms) {
        seenAtMs += ms;
    }

    double storeBytes() {
        return size(LoadDimension.STORE_SIZE);
    }

    RegionNameHash name() {
        return name;
    }

    TableId table() {
        return table;
    }

    /** Null where the region's name did not say. */
    byte @Nullable [] startKey() {
        return startKey;
    }

    @Nullable MinuteWindow window() {
        return window;
    }

    void setWindow(@Nullable MinuteWindow newWindow) {
        window = newWindow;
    }

    private void setSmoothed(Rates rates) {
        rates.putInto(decayed, SMOOTHED);
    }

    private void setRecent(Rates rates) {
        rates.putInto(decayed, RECENT);
    }
}
