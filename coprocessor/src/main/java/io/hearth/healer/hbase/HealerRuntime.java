// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.common.config.ConfigProblem;
import io.hearth.healer.hbase.AssignmentSnapshotBuilder.RegionLocation;
import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.spi.Assignments;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;

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

    /** Who wants to know that blocks of regions have become local. */
    BlocksMovedListener blocksMovedListener();

    /** Whether HBase deals out favoured nodes, to which HDFS may pin replicas. */
    boolean usesFavoredNodes();

    /** Whether a pause or an alarm is for the next process of this kind as well, which is not told to go on by being started. */
    boolean persistsPause();

    /** Why no move may start for the sake of service level objectives, as the end of a sentence; empty where nobody brakes, or can. */
    default Optional<String> brake() {
        return Optional.empty();
    }

    /** How many times less often than set the healer's loop is to run, so that the process keeps to its share of processor time. */
    default int stretch() {
        return 1;
    }

    /** The user as whom HDFS is asked; logs in if that is configured. */
    HealerUser login() throws HealerLoginException;

    /** HBase's root folder. */
    Path rootDir() throws IOException;

    /** The regions of a cluster, asked by name. Asks nobody outside of the process. Thread-safe. */
    interface KnownRegions {

        /** The region of this encoded name, parents of splits included until HBase has cleaned them up. */
        Optional<RegionInfo> region(String encodedName);

        /** Whether this region was split: nobody serves it, and its daughters read its files. */
        boolean isSplit(RegionInfo region);

        /** The regions and region replicas of a table, without parents of splits. */
        List<RegionInfo> ofTable(TableName table);

        /** The regions and region replicas that are open, in any order, with their servers. */
        List<RegionLocation> open();

        /** The server that has this region open; empty where none has. */
        Optional<ServerName> openOn(RegionInfo region);
    }

    /** The tables' descriptors as they are now, give or take a minute. */
    @FunctionalInterface
    interface TableDescriptorSource {

        /**
         * The descriptor of this table; empty if there is no such table.
         *
         * @throws AccessDeniedException if there is one, and HBase does not show it to this user
         */
        Optional<TableDescriptor> descriptor(TableName table) throws IOException;
    }
}
