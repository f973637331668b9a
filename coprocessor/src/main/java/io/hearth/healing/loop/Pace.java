package io.hearth.healing.loop;

import io.hearth.balancer.log.RareLog;
import io.hearth.healing.execute.BytePacer;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.metrics.HealingMetrics;
import io.hearth.healing.observe.NameNodePulse;
import io.hearth.healing.observe.NameNodePulse.Beat;
import io.hearth.healing.observe.ReadProbe;
import io.hearth.healing.throttle.LatencyBaseline;
import io.hearth.healing.throttle.Pressure;
import io.hearth.healing.throttle.Throttle;
import io.hearth.healing.throttle.ThrottleState;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * How fast moves may start: the throttle, and what it is told. It feels for pressure only while there is work, so that a
 * cluster at home is asked nothing. Not thread-safe.
 */
final class Pace {

    private static final long FEEL_EVERY_MS = 5_000;

    /** Twenty milliseconds more than usual are no burden to anybody. */
    private static final long SLOWER_MICROS = 20_000;

    /** As many calls as the verifier makes, where a region has one folder. */
    static final int LISTINGS_PER_SECOND = 50;

    private static final int LISTINGS_WHILE_SLOW = LISTINGS_PER_SECOND / 10;

    private final NameNodePulse pulse;
    private final ReadProbe reads;
    private final HealingMetrics metrics;
    private final RareLog log;
    private final LatencyBaseline nameNode = new LatencyBaseline(SLOWER_MICROS);
    private final LatencyBaseline readers = new LatencyBaseline(SLOWER_MICROS);
    private final BytePacer listings = new BytePacer();
    private ThrottleState state = ThrottleState.START;
    private Set<Pressure> felt = EnumSet.noneOf(Pressure.class);
    private Optional<Long> feltMs = Optional.empty();

    Pace(NameNodePulse pulse, ReadProbe reads, HealingMetrics metrics, RareLog log) {
        this.pulse = pulse;
        this.reads = reads;
        this.metrics = metrics;
        this.log = log;
    }

    /**
     * The rate that holds now.
     *
     * @param limitBytesPerSecond the operator's; 0 for none
     * @param atWork whether moves wait or are under way
     * @param refusals how often DataNodes were too busy since the last time
     */
    long bytesPerSecond(long limitBytesPerSecond, boolean atWork, int refusals, long nowMs) {
        if (atWork && nowMs - feltMs.orElse(Long.MIN_VALUE / 2) >= FEEL_EVERY_MS) {
            feltMs = Optional.of(nowMs);
            felt = feel();
        }
        Set<Pressure> pressures = EnumSet.noneOf(Pressure.class);
        if (atWork) {
            pressures.addAll(felt);
        }
        if (refusals > 0) {
            pressures.add(Pressure.DATANODE_BUSY);
        }
        ThrottleState next = Throttle.next(state, limitBytesPerSecond, pressures, atWork, nowMs);
        if (next.cutMs() != state.cutMs()) {
            halved(state.bytesPerSecond(), next.bytesPerSecond(), pressures, nowMs);
        }
        state = next;
        metrics.set(HealingGauge.BYTES_PER_SECOND, state.bytesPerSecond());
        metrics.set(HealingGauge.PRESSURES, pressures.size());
        return state.bytesPerSecond();
    }

    /** Whether the next region may be listed: so many a second, and a tenth of that while the NameNode is slow. */
    boolean mayList(long nowMs) {
        boolean isSlow = felt.contains(Pressure.NAMENODE_SLOW);
        return listings.tryTake(1, isSlow ? LISTINGS_WHILE_SLOW : LISTINGS_PER_SECOND, nowMs);
    }

    /** A NameNode that can't say is left alone by those who ask it for blocks; here it only leaves no sample. */
    private Set<Pressure> feel() {
        Set<Pressure> now = EnumSet.noneOf(Pressure.class);
        reads.takeMicros().forEach(readers::add);
        if (readers.isSlow()) {
            now.add(Pressure.READS_SLOW);
        }
        Optional<Beat> beat = pulse.feel().ifKnown();
        beat.ifPresent(known -> nameNode.add(known.micros()));
        if (nameNode.isSlow()) {
            now.add(Pressure.NAMENODE_SLOW);
        }
        if (beat.filter(Beat::balancerRuns).isPresent()) {
            now.add(Pressure.HDFS_BALANCER);
        }
        if (beat.filter(Beat::moverRuns).isPresent()) {
            now.add(Pressure.HDFS_MOVER);
        }
        return now;
    }

    private void halved(long before, long after, Set<Pressure> pressures, long nowMs) {
        metrics.add(HealingCounter.THROTTLED, 1);
        log.warn(
                "throttle",
                "Healing goes slower, " + after + " bytes per second after " + before + ", because of " + pressures
                        + ".",
                nowMs);
    }
}
