// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.common.config.ConfigProblem;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.spi.Assignments;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The process in which healing runs, and what it sees of HBase from there: an HMaster, which has all in its memory, or any
 * other, which has a client's connection. Thread-safe.
 */
public interface HealerRuntime {

    /** For the names of threads. */
    String name();

    /** What the process is, for other healers to read: {@code HMaster}, {@code heal} or {@code healer}. */
    String program();

    /** The host that it runs on. */
    String hostName();

    Configuration configuration();

    /** Whether the healing thread shall go on; asked at every turn. */
    boolean shouldRun();

    /**
     * Who serves what, for one loop.
     *
     * @param problems hears of tables whose {@code HEARTH_HEAL} can't be read
     */
    Assignments assignments(HealingMetrics metrics, Consumer<ConfigProblem> problems);

    KnownRegions regions();

    TableDescriptorSource tables();

    Connection connection();

    /** Who wants to know that regions have come home. */
    BlocksMovedListener blocksMovedListener();

    /** Whether HBase deals out favoured nodes, to which HDFS may pin replicas. */
    boolean usesFavoredNodes();

    /** Whether a pause or an alarm is for the next process of this kind as well, which is not told to go on by being started. */
    boolean persistsPause();

    /** The user as whom HDFS is asked; logs in if that is configured. */
    HealerUser login() throws HealerLoginException;

    /** HBase's root folder. */
    Path rootDir() throws IOException;
}
