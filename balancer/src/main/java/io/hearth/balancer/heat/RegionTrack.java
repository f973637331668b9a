package io.hearth.balancer.heat;

import io.hearth.balancer.ingest.Plausibility;
import io.hearth.balancer.ingest.RegionCounters;
import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.RegionSample;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.TableId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * All that is kept of one region: its counters, its rates over two horizons, its sizes, and its place in its table. There is
 * one for each region, so its fields are packed. Not thread-safe.
 */
final class RegionTrack extends RegionCounters {

    /** So long after a region has landed on a server it may tell of that server, in milliseconds. */
    private static final long LANDED_MS = 1_800_000;

    /** A region that serves this part of what it came with has kept its heat. */
    private static final double KEPT = 0.7;

    /** Reports come closer together after a move: the last rates are those of this time at least, in milliseconds. */
    private static final double LAST_MS = 10_000;

    private static final long NEVER = Long.MIN_VALUE;

    private final TableId table;
    private final byte @Nullable [] startKey;
    private double actingReads;
    private double actingWrites;
    private double recentReads;
    private double recentWrites;
    private long observedMs;
    private long seenAtMs;
    private long shiftedAtMs = Long.MIN_VALUE;
    private final LongRun longRun = new LongRun();
    private boolean held;
    // Whole megabytes as HBase reports them are exact in a float up to 16 TB.
    private float storeBytes;
    private float memstoreBytes;
    private float nonLocalShare;
    private @Nullable MinuteWindow window;
    // Not a number before the first.
    private float lastReads = Float.NaN;
    private float lastWrites;
    private float landedReads;
    private float landedWrites;
    private long landedMs = NEVER;

    RegionTrack(TableId table, RegionReport report) {
        this.table = table;
        startKey = report.origin()
                .map(origin -> origin.startKey().getBytes(StandardCharsets.ISO_8859_1))
                .orElse(null);
    }

    /**
     * Adds what the region did since the last look, and how large it is now.
     *
     * @param isHeld whether its server does not serve what it is asked for, so that the rates that plans use stay as they are
     */
    void learn(RegionSample sample, RegionReport report, Horizons horizons, boolean isHeld, long nowMs) {
        if (sample.hasRate()) {
            Rates rates = Rates.of(sample.reads(), sample.writes(), sample.elapsedMs());
            double recentShare = horizons.recent().shareOfNewer(observedMs, sample.elapsedMs());
            setRecent(recent().towards(rates, recentShare));
            held = isHeld;
            setLast(Float.isNaN(lastReads) ? rates : last().towards(rates, Math.min(1, sample.elapsedMs() / LAST_MS)));
            if (!isHeld || observedMs == 0) {
                double actingShare = horizons.acting().shareOfNewer(observedMs, sample.elapsedMs());
                setActing(acting().towards(rates, actingShare));
                observedMs += sample.elapsedMs();
                longRun.learn(rates, recent(), sample.elapsedMs(), horizons);
            }
            if (landedMs != NEVER && rates.total() >= KEPT * landed().total()) {
                landedMs = NEVER;
            }
        }
        if (Plausibility.hasPossibleSizes(report)) {
            storeBytes = report.storeBytes();
            memstoreBytes = report.memstoreBytes();
            nonLocalShare = (float) report.nonLocalShare();
        }
        seenAtMs = nowMs;
    }

    /** Another server has it from now on: what it served until now is what it may be expected to serve there. */
    void lands(long nowMs) {
        landedReads = (float) actingReads;
        landedWrites = (float) actingWrites;
        landedMs = nowMs;
    }

    /**
     * Whether it has landed on its server and has not been seen at its heat there since.
     *
     * @param whenMs now, or since when its server has been held
     */
    boolean hasJustLanded(long whenMs) {
        return landedMs != NEVER && landedMs >= whenMs - LANDED_MS;
    }

    /** The rates that it came with to its server. */
    Rates landed() {
        return new Rates(landedReads, landedWrites);
    }

    /** It lost its heat by landing on a server that does not serve it: the rates that it came with are those that count. */
    void takeLanded() {
        setActing(landed());
    }

    /** Puts what was known before under what has been learnt here: the newer counts as what it is, the newer. */
    void putUnder(PastHeat past, Horizons horizons) {
        if (observedMs == 0) {
            setActing(past.acting());
            setRecent(past.recent());
        } else {
            double actingShare = horizons.acting().shareOfNewer(past.observedMs(), observedMs);
            double recentShare = horizons.recent().shareOfNewer(past.observedMs(), observedMs);
            setActing(past.acting().towards(acting(), actingShare));
            setRecent(past.recent().towards(recent(), recentShare));
        }
        observedMs += past.observedMs();
        longRun.beginWith(acting(), horizons);
    }

    /** What it has now is taken for what it has in the long run. */
    void beginAnew(Horizons horizons) {
        longRun.beginAnew(recent(), horizons);
    }

    /** It is certain that its load, or that of its server, is another than in the long run. */
    void shifted(long nowMs) {
        shiftedAtMs = nowMs;
    }

    /** Whether its server does not serve what it is asked for, by the last look. */
    boolean isHeld() {
        return held;
    }

    LongRun longRun() {
        return longRun;
    }

    /** When its load was last found to be another than in the long run, by our clock; long ago where it never was. */
    long shiftedAtMs() {
        return shiftedAtMs;
    }

    PastHeat asPast() {
        return new PastHeat(observedMs, acting(), recent());
    }

    /** What one of its reads counts: more where some of them are not local. */
    double costOfARead(double remoteReadExtra) {
        return 1 + remoteReadExtra * nonLocalShare;
    }

    LoadVector load(Rates rates, double remoteReadExtra) {
        return LoadVector.of(
                rates.readsPerSecond() * costOfARead(remoteReadExtra),
                rates.writesPerSecond(),
                storeBytes,
                memstoreBytes);
    }

    Rates acting() {
        return new Rates(actingReads, actingWrites);
    }

    Rates recent() {
        return new Rates(recentReads, recentWrites);
    }

    /** The rates between the last two reports. */
    Rates last() {
        return Float.isNaN(lastReads) ? Rates.NONE : new Rates(lastReads, lastWrites);
    }

    private void setLast(Rates rates) {
        lastReads = (float) rates.readsPerSecond();
        lastWrites = (float) rates.writesPerSecond();
    }

    long observedMs() {
        return observedMs;
    }

    /** When a report of it was last taken, by our clock. */
    long seenAtMs() {
        return seenAtMs;
    }

    /** Counts the last report of it as taken this much later, or earlier where it is below 0. */
    void seenLaterBy(long ms) {
        seenAtMs += ms;
    }

    double storeBytes() {
        return storeBytes;
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

    private void setActing(Rates rates) {
        actingReads = rates.readsPerSecond();
        actingWrites = rates.writesPerSecond();
    }

    private void setRecent(Rates rates) {
        recentReads = rates.readsPerSecond();
        recentWrites = rates.writesPerSecond();
    }
}
