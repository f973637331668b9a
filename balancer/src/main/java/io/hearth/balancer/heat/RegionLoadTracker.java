// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.heat.ingest.PackedNumbers;
import io.hearth.balancer.heat.ingest.PlausibilityCheck;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.RegionCounters;
import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All that is kept of one region: its counters, its rates (smoothed, recent, last, over hours, and on arrival at its server), its
 * sizes, and its place in its table. There is one for each region: what each has is in this object and one array of packed numbers,
 * and what few have is in another object. Not thread-safe.
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

    private static final int DOUBLES_BYTES = Rates.COUNTERS * Double.BYTES;
    private static final int FLOATS_BYTES = Rates.COUNTERS * Float.BYTES;

    // What is packed: counters, rates as doubles and as floats, those over hours, sizes, and the start key. Whole
    // megabytes
    // as HBase reports them are exact in a float up to 16 TB.
    private static final int SMOOTHED = COUNTER_BYTES;
    private static final int RECENT = SMOOTHED + DOUBLES_BYTES;
    private static final int LAST = RECENT + DOUBLES_BYTES;
    /** Rates over hours, which unlike {@link LongTermRates} do not begin anew where load shifts. */
    private static final int REFERENCE = LAST + FLOATS_BYTES;

    private static final int LONG_TERM = REFERENCE + FLOATS_BYTES;
    private static final int SIZES = LONG_TERM + LongTermRates.BYTES;
    private static final int NON_LOCAL_SHARE = SIZES + (DIMENSIONS.length - Rates.COUNTERS) * Float.BYTES;
    private static final int START_KEY = NON_LOCAL_SHARE + Float.BYTES;

    private final long nameHigh;
    private final long nameLow;
    private final TableId table;
    private long observedMs;
    private long seenAtMs;
    private @Nullable Occasional occasional;
    private final boolean hasStartKey;
    private boolean rateFrozen;
    private boolean hasLast;

    /** What happened to few regions, and the window that is kept only where that is the measure of what is hot. */
    private static final class Occasional {

        private long shiftedAtMs = NEVER;
        private long arrivedMs = NEVER;
        private Rates onArrival = Rates.NONE;
        private @Nullable MinuteWindow window;
    }

    RegionLoadTracker(RegionNameHash name, TableId table, RegionReport report) {
        super(packed(report.nameInfo().map(RegionNameInfo::startKey).orElse("")));
        nameHigh = name.high();
        nameLow = name.low();
        this.table = table;
        hasStartKey = report.nameInfo().isPresent();
    }

    private static byte[] packed(String startKey) {
        byte[] key = startKey.getBytes(StandardCharsets.ISO_8859_1);
        byte[] packed = new byte[START_KEY + key.length];
        System.arraycopy(key, 0, packed, START_KEY, key.length);
        return packed;
    }

    /**
     * Adds what the region did since the last look, and how large it is now.
     *
     * @param isRateFrozen whether its server does not serve what it is asked for, so that the rates that plans use stay as they are
     */
    void learn(RegionSample sample, RegionReport report, RateDecays decays, boolean isRateFrozen, long nowMs) {
        if (sample.hasRate()) {
            Rates rates = sample.perSecond();
            rates.blendDoubles(packed, RECENT, decays.recent().shareOfNewer(observedMs, sample.elapsedMs()));
            rateFrozen = isRateFrozen;
            rates.blendFloats(packed, LAST, hasLast ? Math.min(1, sample.elapsedMs() / LAST_MS) : 1);
            hasLast = true;
            if (!isRateFrozen || observedMs == 0) {
                double smoothedShare = decays.smoothed().shareOfNewer(observedMs, sample.elapsedMs());
                rates.blendDoubles(packed, SMOOTHED, smoothedShare);
                observedMs += sample.elapsedMs();
                learnReference(sample.elapsedMs(), decays);
                longTerm().learn(rates, recent(), sample.elapsedMs(), decays);
            }
            // While its server is held it tells whether that serves again: of few others there may be none to tell.
            if (hasArrived()
                    && !isRateFrozen
                    && rates.total() >= KEPT * arrivalRates().total()) {
                forgetArrival();
            }
        }
        if (PlausibilityCheck.hasPossibleSizes(report)) {
            for (LoadDimension dimension : DIMENSIONS) {
                if (!dimension.isCounter()) {
                    PackedNumbers.putFloat(
                            packed, at(dimension), (float) report.load().get(dimension));
                }
            }
            PackedNumbers.putFloat(packed, NON_LOCAL_SHARE, (float) report.nonLocalShare());
        }
        seenAtMs = nowMs;
        if (occasional != null) {
            // What happened after now, by a clock that was set back, counts as of now.
            occasional.shiftedAtMs = Math.min(occasional.shiftedAtMs, nowMs);
            occasional.arrivedMs = Math.min(occasional.arrivedMs, nowMs);
        }
    }

    /** Made where there is none yet. */
    private Occasional occasional() {
        Occasional kept = occasional;
        if (kept == null) {
            kept = new Occasional();
            occasional = kept;
        }
        return kept;
    }

    /** Another server has it from now on: what it served until now is what it may be expected to serve there. */
    void arrives(long nowMs) {
        Occasional now = occasional();
        now.onArrival = smoothed();
        now.arrivedMs = nowMs;
    }

    private boolean hasArrived() {
        return occasional != null && occasional.arrivedMs != NEVER;
    }

    /** Every region moves one day: what is not needed any more is not kept. */
    private void forgetArrival() {
        Occasional kept = occasional();
        kept.arrivedMs = NEVER;
        kept.onArrival = Rates.NONE;
        if (kept.shiftedAtMs == NEVER && kept.window == null) {
            occasional = null;
        }
    }

    /**
     * Whether it has landed on its server and has not been seen at its heat there since, while that was believed.
     *
     * @param whenMs now, or since when its server has been held
     */
    boolean hasJustArrived(long whenMs) {
        return hasArrived() && occasional().arrivedMs >= whenMs - ARRIVED_MS;
    }

    /** The rates that it came with to its server. */
    Rates arrivalRates() {
        return occasional == null ? Rates.NONE : occasional.onArrival;
    }

    /** It lost its heat by landing on a server that does not serve it: the rates that it came with are those that count. */
    void restoreArrivalRates() {
        setSmoothed(arrivalRates());
    }

    /** Once in some reports: the mean of hours of rates that are means of minutes. */
    private void learnReference(long elapsedMs, RateDecays decays) {
        long stepMs = decays.intervalMs();
        if (observedMs < stepMs) {
            smoothed().putFloats(packed, REFERENCE);
        } else if (observedMs / stepMs != (observedMs - elapsedMs) / stepMs) {
            long newMs = Math.max(stepMs, elapsedMs);
            double share = decays.longTerm().shareOfNewer(Math.max(0, observedMs - newMs), newMs);
            smoothed().blendFloats(packed, REFERENCE, share);
        }
    }

    /** What it served over hours: what may be expected of it where its server has declined for as long. */
    Rates referenceRates() {
        return Rates.floatsIn(packed, REFERENCE);
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
            inheritedReference(inherited).putFloats(packed, REFERENCE);
        } else {
            double smoothedShare = decays.smoothed().shareOfNewer(inherited.observedMs(), observedMs);
            double recentShare = decays.recent().shareOfNewer(inherited.observedMs(), observedMs);
            setSmoothed(inherited.smoothed().towards(smoothed(), smoothedShare));
            setRecent(inherited.recent().towards(recent(), recentShare));
            double longShare = decays.longTerm().shareOfNewer(inherited.observedMs(), observedMs);
            inheritedReference(inherited).towards(referenceRates(), longShare).putFloats(packed, REFERENCE);
        }
        observedMs += inherited.observedMs();
        longTerm().mergeOlder(inherited.longTerm(), smoothed(), decays);
        if (inherited.longTerm().shiftedAtMs() > shiftedAtMs()) {
            shifted(inherited.longTerm().shiftedAtMs());
        }
    }

    private static Rates inheritedReference(InheritedRates inherited) {
        return inherited.longTerm().observedMs() > 0 ? inherited.longTerm().mean() : inherited.smoothed();
    }

    /** What it has now is taken for what it has in the long run. */
    void restart(RateDecays decays) {
        longTerm().restart(recent(), decays);
    }

    /** It is certain that its load, or that of its server, is another than in the long run. */
    void shifted(long nowMs) {
        occasional().shiftedAtMs = nowMs;
    }

    /** Whether its server does not serve what it is asked for, by its last report. */
    boolean isRateFrozen() {
        return rateFrozen;
    }

    LongTermRates longTerm() {
        return new LongTermRates(packed, LONG_TERM);
    }

    /** When its load was last found to be another than in the long run, by our clock; long ago where it never was. */
    long shiftedAtMs() {
        return occasional == null ? NEVER : occasional.shiftedAtMs;
    }

    InheritedRates toInherited() {
        return new InheritedRates(observedMs, smoothed(), recent(), longTerm().toInherited(shiftedAtMs()));
    }

    /** Its heat as plans and the page know it: its rates, with what its reads cost and its table weighs, and its sizes. */
    RegionHeat heat(HeatConfig config, TableWeights weights) {
        if (observedMs < config.minObservedMs()) {
            return new RegionHeat.Unknown(
                    RegionHeat.Reason.OBSERVED_TOO_BRIEFLY,
                    LoadVector.of(dimension -> dimension.isCounter() ? lastRate(dimension.ordinal()) : 0));
        }
        double readCost = readCost(config);
        boolean mayBeSwinging = config.filtersNoise() && !rateFrozen;
        return new RegionHeat.Known(
                load(this::smoothedRate, 1),
                load(counter -> PackedNumbers.getDouble(packed, RECENT + counter * Double.BYTES), 1),
                load(this::lastRate, 1),
                readCost,
                planned(mayBeSwinging ? longTerm()::mean : this::smoothedRate, readCost, weights));
    }

    private double smoothedRate(int counter) {
        return PackedNumbers.getDouble(packed, SMOOTHED + counter * Double.BYTES);
    }

    private double lastRate(int counter) {
        return PackedNumbers.getFloat(packed, LAST + counter * Float.BYTES);
    }

    /** A read counts more where some of them are not local. */
    private double readCost(HeatConfig config) {
        return 1 + config.remoteReadPenalty() * PackedNumbers.getFloat(packed, NON_LOCAL_SHARE);
    }

    /** Its load of the last minutes, with what its reads cost and its table weighs; empty where its heat is unknown. */
    Optional<LoadVector> weightedLoad(HeatConfig config, TableWeights weights) {
        return observedMs < config.minObservedMs()
                ? Optional.empty()
                : Optional.of(planned(this::smoothedRate, readCost(config), weights));
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

    /** @param dimension a size */
    private double size(LoadDimension dimension) {
        return PackedNumbers.getFloat(packed, at(dimension));
    }

    /** Where this size is packed: what is counted comes before sizes. */
    private static int at(LoadDimension size) {
        return SIZES + (size.ordinal() - Rates.COUNTERS) * Float.BYTES;
    }

    Rates smoothed() {
        return Rates.doublesIn(packed, SMOOTHED);
    }

    Rates recent() {
        return Rates.doublesIn(packed, RECENT);
    }

    /** The rates between the last two reports, blended with those before where the two are less than {@link #LAST_MS} apart. */
    Rates last() {
        return Rates.floatsIn(packed, LAST);
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

    boolean hasName(RegionNameHash name) {
        return nameLow == name.low() && nameHigh == name.high();
    }

    RegionNameHash name() {
        return new RegionNameHash(nameHigh, nameLow);
    }

    TableId table() {
        return table;
    }

    /** Whether the region's name said where the region begins. */
    boolean hasStartKey() {
        return hasStartKey;
    }

    /** Compares where the two begin, as HBase orders rows. */
    int compareStartKey(RegionLoadTracker other) {
        return Arrays.compareUnsigned(packed, START_KEY, packed.length, other.packed, START_KEY, other.packed.length);
    }

    @Nullable MinuteWindow window() {
        return occasional == null ? null : occasional.window;
    }

    void setWindow(@Nullable MinuteWindow newWindow) {
        if (newWindow != null || occasional != null) {
            occasional().window = newWindow;
        }
    }

    private void setSmoothed(Rates rates) {
        rates.putDoubles(packed, SMOOTHED);
    }

    private void setRecent(Rates rates) {
        rates.putDoubles(packed, RECENT);
    }
}
