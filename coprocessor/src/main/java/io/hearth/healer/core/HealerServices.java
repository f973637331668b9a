// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.plan.PlacementRule;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Everything through which the loop touches the world. Immutable.
 *
 * @param nameNodeUsage what {@code storeFiles}, {@code fileBlocks}, {@code dataNodes} and {@code nameNodeProbe} use of the NameNode
 * @param confirmSeconds how long after its copy a move is usually confirmed
 * @param wallClock the time of day of the windows, with the master's time zone
 */
public record HealerServices(
        Assignments assignments,
        StoreFiles storeFiles,
        FileBlocks fileBlocks,
        NameNodeUsage nameNodeUsage,
        LiveDataNodes dataNodes,
        PlacementRule placementRule,
        BlockMover mover,
        BlocksMovedListener blocksMovedListener,
        NameNodeProbe nameNodeProbe,
        ReadProbe readProbe,
        DataNodeAllowance allowance,
        DataNodeProber prober,
        RegionCompactor compactor,
        double confirmSeconds,
        Clock wallClock) {

    /** The DataNodes of the cluster. */
    public interface LiveDataNodes {

        /** Asks the NameNode; where it may not, the DataNodes that were met in block locations so far. */
        Observed<DataNodes> list();

        /**
         * Asks the NameNode once more where this DataNode was met in block locations, so that its free space is that of now; does nothing
         * where the NameNode gives its report. One that has no block of that file any more stays as it was known.
         */
        default void renew(DataNode node) {}
    }

    /** The store files that a region reads, with the blocks and their locations. */
    public interface StoreFiles {

        /**
         * Asks the NameNode, with one listing for each store folder and for each other folder in which files lie that the
         * region's references and links point at. Gone if the region's folders or its table are.
         *
         * @param nowMs the time of this turn: a folder is listed once in a turn, for however many regions. What one turn has
         *     listed is not used in the next, since moves may have ended in between.
         */
        Observed<RegionFiles> list(ServedRegion region, long nowMs);

        /**
         * Says which regions are listed next in this turn, so that the folders of several are asked for by one call.
         *
         * @param regions in their order, at least one
         * @return how many of them, at least one, the next call has been made for, or is to be made for by {@link #list}
         */
        default int prepare(List<ServedRegion> regions, long nowMs) {
            return 1;
        }
    }

    /** Measures how fast the NameNode answers, by calls that are always the same. Called while moves are under way, every few seconds. */
    @FunctionalInterface
    public interface NameNodeProbe {

        /**
         * What one measurement says.
         *
         * @param micros how long one of the calls took, from here and back
         * @param balancerRuns whether the HDFS Balancer holds its lock
         * @param moverRuns whether the HDFS Mover holds its lock
         */
        record Sample(long micros, boolean balancerRuns, boolean moverRuns) {}

        Observed<Sample> probe();
    }

    /** Reads that are always the same, to measure what readers wait: the master gets no read latency from RegionServers. */
    @FunctionalInterface
    public interface ReadProbe {

        /**
         * What one read says.
         *
         * @param host of the RegionServer, by name or by address as that calls itself, in lower case
         * @param micros how long it took
         * @param ageMs how long ago it came back
         */
        record Sample(String host, long micros, long ageMs) {}

        /**
         * Has regions on the hosts of these DataNodes read on other threads, a few at a time, and returns the reads that came back since
         * the last time. Returns at once.
         */
        List<Sample> takeSamples(Collection<DataNode> touched);
    }

    /** What DataNodes allow of block moves, whoever asks for them. Answers at once by what is known; asks in the background. */
    @FunctionalInterface
    public interface DataNodeAllowance {

        /** The limits of this DataNode; of one that has not said, those that HDFS's defaults or the healer's configuration give it. */
        DataNodeLimits of(DataNode node);

        /** The same by what is known, for a DataNode that need not be asked. */
        default DataNodeLimits known(DataNode node) {
            return of(node);
        }

        /** Whether this DataNode itself has said which bandwidth it allows. */
        default boolean hasSaid(DataNode node) {
            return true;
        }
    }

    /** Asks DataNodes whether they serve. */
    @FunctionalInterface
    public interface DataNodeProber {

        /**
         * What came of one question.
         *
         * @param serves whether the DataNode answered in time
         * @param ageMs how long ago that was known
         */
        record Answer(DataNode node, boolean serves, long ageMs) {}

        /**
         * Has these asked on other threads, and returns what others have answered since the last time; one that could not be asked, for a
         * fault of ours, is not among them. Returns at once.
         */
        List<Answer> takeAnswers(Collection<DataNode> asked);
    }

    /** Asks for major compactions. Thread-safe. */
    @FunctionalInterface
    public interface RegionCompactor {

        /**
         * Has the region's server queue a major compaction of this column family; returns once it has been asked, which may take a
         * while. Never throws.
         *
         * @return why it could not be asked for; empty if it was
         */
        Optional<String> compact(ServedRegion region, String family);
    }
}
