// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.locality.LocalityCache;
import io.hearth.balancer.locality.LocalityCache.Load;
import io.hearth.balancer.locality.NameNodeBackoff;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.common.collect.Interner;
import org.apache.hbase.thirdparty.com.google.common.collect.Interners;
import org.jspecify.annotations.NullMarked;

/**
 * What the NameNode has said of where the blocks of each region are, and whether it may be asked now: after it could not be
 * asked it is left alone for {@value #RETRY_AFTER_MS} ms; a region whose files can't be read is left alone for as long, and
 * the others are not. Thread-safe; only {@link #ask} waits for anybody.
 */
@NullMarked
final class BlockLocations {

    static final long RETRY_AFTER_MS = 60_000;

    private final LocalityCache<RegionInfo, CompactBlocksDistribution> cache = new LocalityCache<>(RETRY_AFTER_MS);
    private final NameNodeBackoff<RegionInfo> pause = new NameNodeBackoff<>(RETRY_AFTER_MS);
    private final LocationSource nameNode;
    private final LongSupplier nowMs;
    private final LocalityErrorHandler errorHandler;
    private final BiConsumer<RegionInfo, CompactBlocksDistribution> landed;

    /** Each answer comes with names of its own: a thousand hosts would be named millions of times. */
    private final Interner<String> hostNames = Interners.newWeakInterner();

    /** Says where the region's blocks are; none anywhere for a table that is gone. */
    interface LocationSource {

        HDFSBlocksDistribution ask(RegionInfo region) throws IOException;
    }

    /** @param landed told of each answer that is kept, by the thread that has asked; must not throw */
    BlockLocations(
            LocationSource nameNode,
            LongSupplier nowMs,
            LocalityErrorHandler errorHandler,
            BiConsumer<RegionInfo, CompactBlocksDistribution> landed) {
        this.nameNode = nameNode;
        this.nowMs = nowMs;
        this.errorHandler = errorHandler;
        this.landed = landed;
    }

    /** The last answer for this region, which may be from before a change. */
    Optional<CompactBlocksDistribution> known(RegionInfo region) {
        return cache.get(region);
    }

    /** Says that the blocks of this region have moved: an answer that is on its way does not land. */
    void changed(RegionInfo region) {
        cache.invalidate(region);
    }

    /** Whether the NameNode may be asked now. */
    boolean isAskable() {
        return !pause.isOn(nowMs.getAsLong());
    }

    /** Asks the NameNode about this region unless its answer is fresh, on its way, or failed a short while ago. */
    void ask(RegionInfo region) {
        cache.begin(region, nowMs.getAsLong()).ifPresent(load -> {
            try {
                CompactBlocksDistribution answer =
                        asBefore(region, CompactBlocksDistribution.of(nameNode.ask(region), hostNames::intern));
                if (cache.finish(load, answer, nowMs.getAsLong())) {
                    landed.accept(region, answer);
                }
                pause.answered();
            } catch (Throwable failure) {
                failed(load, failure);
            }
        });
    }

    /** The answer of before where it says the same: a plan's snapshot that is kept may have it, and two of them would be kept. */
    private CompactBlocksDistribution asBefore(RegionInfo region, CompactBlocksDistribution answer) {
        return known(region).filter(before -> before.saysTheSame(answer)).orElse(answer);
    }

    private void failed(Load<RegionInfo> load, Throwable failure) {
        long now = nowMs.getAsLong();
        cache.fail(load, now);
        boolean isAway =
                switch (NameNodeFailure.of(failure)) {
                    case UNAVAILABLE -> {
                        pause.away(now);
                        yield true;
                    }
                    case REGION_SPECIFIC -> {
                        pause.answered();
                        yield false;
                    }
                    case UNKNOWN -> pause.failed(load.key(), now);
                };
        if (isAway) {
            errorHandler.nameNodeUnavailable(failure);
        } else {
            errorHandler.regionNotRead(load.key(), failure);
        }
    }

    /** Every region that waits to be asked about again: changed, or answered longer than this ago. */
    List<RegionInfo> due(long maxAgeMs) {
        long now = nowMs.getAsLong();
        return cache.due(now, now - maxAgeMs);
    }

    /** Forgets every region that is not among these. */
    void retain(Set<RegionInfo> regions) {
        cache.retain(regions);
    }

    /** Bytes of heap that the answers take, by how many hosts they name. */
    long heapBytes() {
        return cache.sum(CompactBlocksDistribution::heapBytes);
    }

    /** Everything that is remembered of regions, so that its size can be measured. */
    List<Object> state() {
        return List.of(cache, pause);
    }

    /** What the failure of a question to the NameNode says of the NameNode. */
    @NullMarked
    private enum NameNodeFailure {
        /** It could not be reached, or does not answer anybody for now: another region would fare no better. */
        UNAVAILABLE,
        /** It answered, and the answer is about the files of this region: one is not there, or not for us. */
        REGION_SPECIFIC,
        /** Nobody knows: a file that is none, a bug, a NameNode in trouble. */
        UNKNOWN;

        private static final List<Class<?>> UNAVAILABLE_CLASSES = List.of(
                SocketException.class, // refused, reset, no route
                InterruptedIOException.class, // timed out
                UnknownHostException.class,
                StandbyException.class,
                RetriableException.class);
        private static final List<Class<?>> REGION_CLASSES =
                List.of(FileNotFoundException.class, AccessControlException.class);

        /** HDFS's own, which arrives by name. */
        private static final String SAFE_MODE = "SafeModeException";

        static NameNodeFailure of(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                String name = nameOf(cause);
                if (name.endsWith(SAFE_MODE) || isAny(UNAVAILABLE_CLASSES, cause, name)) {
                    return UNAVAILABLE;
                }
                if (isAny(REGION_CLASSES, cause, name)) {
                    return REGION_SPECIFIC;
                }
            }
            return UNKNOWN;
        }

        private static String nameOf(Throwable failure) {
            return failure instanceof RemoteException remote
                    ? remote.getClassName()
                    : failure.getClass().getName();
        }

        private static boolean isAny(List<Class<?>> classes, Throwable failure, String name) {
            return classes.stream()
                    .anyMatch(each -> each.isInstance(failure) || each.getName().equals(name));
        }
    }

    /** Is told what went wrong with finding out where blocks are. Implementations are thread-safe and never throw. */
    interface LocalityErrorHandler {

        /** The NameNode could not be asked: it is left alone for a time. */
        void nameNodeUnavailable(Throwable failure);

        /** It could not say where the blocks of this region are: the region is left alone for a time. */
        void regionNotRead(RegionInfo region, Throwable failure);

        /** The servers' reports could not be used. */
        void reportsNotRead(Throwable failure);
    }
}
