// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.MoveExecutor.NodeLimits;
import io.hearth.healer.queue.HealQueue.QueueConfig;

/** What the other packages are told of the configuration, with the numbers that no operator needs to set. */
final class LoopTuning {

    /** HDFS's usual time to delete a replica. */
    private static final long RETRY_MS = 10_000;

    /** An hour keeps a false report from costing anything. */
    private static final long RETRY_CAP_MS = 3_600_000;

    /** A DataNode that is busy is so for a block's copy: a second or a few. */
    private static final ExponentialBackoff MOVE_RETRY = new ExponentialBackoff(1_000, 30_000);

    /** One attempt for each proxy of a block with the usual replication. */
    private static final int ATTEMPTS = 3;

    /** In two minutes replicas move, DataNodes leave and files are compacted away. */
    private static final long PLANNED_MS = 120_000;

    /** One plan is for what can be moved well before it is too old. */
    private static final long BUDGET_SECONDS = PLANNED_MS / 2_000;

    /** So that a low limit does not have a region listed for every few blocks. */
    private static final long LEAST_BUDGET_BYTES = 4L << 30;

    /** After an alarm that has ended by itself. */
    static final double SLOW_PACE = 0.25;

    /** The NameNode is left alone so long after it failed. */
    static final ExponentialBackoff NAMENODE = new ExponentialBackoff(1_000, 60_000);

    private LoopTuning() {}

    /** Who polls more often is in more of a hurry, and what was left is checked again as much sooner. */
    static QueueConfig queue(HealingConfig config) {
        long againMs = Math.min(RETRY_MS, config.pollMs());
        return new QueueConfig(
                config.threshold(), config.regionStableMs(), new ExponentialBackoff(againMs, RETRY_CAP_MS));
    }

    /**
     * The bytes that one region's plan may move.
     *
     * @param bytesPerSecond what the DataNodes of the region's host may receive
     */
    static long budgetBytes(long bytesPerSecond) {
        return Math.max(LEAST_BUDGET_BYTES, bytesPerSecond * BUDGET_SECONDS);
    }

    /**
     * What moves may take now.
     *
     * @param pace the share of its limit that the cluster and each rack get, above 0 and at most 1; those of DataNodes have it already
     */
    static MoveLimits moves(HealingConfig config, double pace, int atATime, NodeLimits dataNodes) {
        return new MoveLimits(
                atATime,
                dataNodes,
                paced(config.limits().clusterBytesPerSecond(), pace),
                paced(config.limits().rackBytesPerSecond(), pace),
                config.moveTimeoutMs(),
                listenMs(config),
                ATTEMPTS,
                PLANNED_MS,
                MOVE_RETRY,
                config.policy().readerLocationsMaxAgeMs());
    }

    /** How long a move may wait for its DataNode, and then for the NameNode: a late answer counts until then. */
    static long listenMs(HealingConfig config) {
        return config.moveTimeoutMs() + config.verifyTimeoutMs();
    }

    /** 0 stands for no limit. */
    private static long paced(long bytesPerSecond, double pace) {
        return bytesPerSecond == 0 ? 0 : Math.max(1, Math.round(pace * bytesPerSecond));
    }
}
