package io.hearth.healing.loop;

import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.execute.MoveLimits;
import io.hearth.healing.throttle.Throttle;
import io.hearth.healing.trigger.BackOff;
import io.hearth.healing.trigger.QueueRules;

/** What the rooms are told of the configuration, with the numbers that no operator needs to set. */
final class Rules {

    /** HDFS's usual time to delete a replica. */
    private static final long LOOK_AGAIN_MS = 10_000;

    /** An hour keeps a false report from costing anything. */
    private static final long LOOK_AGAIN_CAP_MS = 3_600_000;

    /** A DataNode that is busy is so for a block's copy: a second or a few. */
    private static final BackOff MOVE_AGAIN = new BackOff(1_000, 30_000);

    /** One attempt for each proxy of a block with the usual replication. */
    private static final int ATTEMPTS = 3;

    /** In two minutes replicas move, DataNodes leave and files are compacted away. */
    private static final long PLANNED_MS = 120_000;

    /** One plan is for what can be moved well before it is too old. */
    private static final long BUDGET_SECONDS = PLANNED_MS / 2_000;

    private static final long GIGABYTE = 1L << 30;

    /** So that a low limit does not have a region listed for every few blocks. */
    private static final long LEAST_BUDGET_BYTES = 4 * GIGABYTE;

    /** The NameNode is left alone so long after it failed. */
    static final BackOff NAMENODE = new BackOff(1_000, 60_000);

    private Rules() {}

    /** Who has reports looked at more often is in more of a hurry, and so are the looks at what was left. */
    static QueueRules queue(HealingConfig config) {
        long againMs = Math.min(LOOK_AGAIN_MS, config.pollMs());
        return new QueueRules(config.threshold(), config.settleMs(), new BackOff(againMs, LOOK_AGAIN_CAP_MS));
    }

    /** A quarter of the pace, after an alarm that has ended by itself. */
    static HealingConfig slow(HealingConfig config) {
        return new HealingConfig(
                config.enabled(),
                config.threshold(),
                config.pollMs(),
                config.settleMs(),
                Math.max(1, config.concurrentMoves() / 4),
                Math.max(1, config.concurrentMovesPerDataNode() / 4),
                config.bytesPerSecond() == 0 ? Throttle.UNLIMITED_START : Math.max(1, config.bytesPerSecond() / 4),
                config.moveTimeoutMs(),
                config.verifyTimeoutMs(),
                config.conduct());
    }

    /** The bytes that one region's plan may move. */
    static long budgetBytes(HealingConfig config) {
        long bytesPerSecond = config.bytesPerSecond() == 0 ? GIGABYTE : config.bytesPerSecond();
        return Math.max(LEAST_BUDGET_BYTES, bytesPerSecond * BUDGET_SECONDS);
    }

    static MoveLimits moves(HealingConfig config, int atATime, long bytesPerSecond) {
        return new MoveLimits(
                atATime,
                config.concurrentMovesPerDataNode(),
                bytesPerSecond,
                config.moveTimeoutMs(),
                config.moveTimeoutMs() + config.verifyTimeoutMs(),
                ATTEMPTS,
                PLANNED_MS,
                MOVE_AGAIN,
                config.conduct().readersRefreshMs());
    }
}
