// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.common.model.NamedMetric;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What the read cache has done since the DataNode started. Thread-safe, without locks. */
public final class ReadCacheCounts {

    private final Map<Counter, LongAdder> adders = new EnumMap<>(Counter.class);

    public ReadCacheCounts() {
        for (Counter counter : Counter.values()) {
            adders.put(counter, new LongAdder());
        }
    }

    public void add(Counter counter) {
        add(counter, 1);
    }

    public void add(Counter counter, long more) {
        LongAdder adder = adders.get(counter);
        if (adder != null) {
            adder.add(more);
        }
    }

    public long get(Counter counter) {
        LongAdder adder = adders.get(counter);
        return adder == null ? 0 : adder.sum();
    }

    /**
     * An estimate of the time that the SSD has saved, in nanoseconds: what a page takes from the disk on average, as fills have measured
     * it, less what one takes from the SSD, for every hit. A hit counts as a whole page, though its client may have read less. 0 as long
     * as nothing was measured.
     */
    public long savedNanos() {
        long measured = get(Counter.FILL_READS);
        if (measured == 0) {
            return 0;
        }
        double diskNanosPerPage = (double) get(Counter.FILL_READ_NANOS) / measured;
        return Math.max(0, (long) (diskNanosPerPage * get(Counter.HITS)) - get(Counter.SSD_NANOS));
    }

    /** What is counted, with its name in the DataNode's metrics. */
    public enum Counter implements NamedMetric {
        READS("Reads", "Blocks that clients opened, unless the mode is off"),
        NOT_A_CLIENT("ReadsByOthers", "Blocks opened by others than clients"),
        SSD_BYTES("SsdBytes", "Bytes that clients got from the SSD"),
        DISK_BYTES("DiskBytes", "Bytes that clients got from disks, unless the mode is off"),
        HITS("Hits", "Pages that reads found on the SSD"),
        MISSES("Misses", "Pages of cached blocks read from disks"),
        FILLS("Fills", "Pages written to the SSD"),
        BLOCKS_ADDED("BlocksAdded", "Blocks of which a copy was begun"),
        WRITTEN_BYTES("WrittenBytes", "Bytes written, checksums included"),
        EVICTED_BLOCKS("EvictedBlocks", "Copies deleted to make room"),
        DROPPED_BLOCKS("DroppedBlocks", "Copies deleted: replica gone or changed, or copy bad"),
        NOT_ADMITTED("RejectedNotAdmitted", "Reads of blocks that are not read often enough"),
        REJECTED_BUDGET("RejectedWriteBudget", "Writes given up: no budget left"),
        REJECTED_SPACE("RejectedSpace", "Writes given up: no space"),
        REJECTED_FULL("RejectedSsdFull", "Writes given up: SSD full"),
        REJECTED_BUSY("RejectedBusy", "Writes given up: too many at once"),
        REJECTED_CHECKSUM("RejectedChecksum", "Blocks without checksums to verify by"),
        REJECTED_CHANGED("RejectedChanged", "Writes given up: replica changed meanwhile"),
        REJECTED_MISMATCH("RejectedMismatch", "Writes given up: the disk's data failed their checksums"),
        VERIFICATION_FAILURES(
                "VerificationFailures", "Reads from the SSD that failed their checksums and were not sent"),
        FALLBACKS("Fallbacks", "Reads that went on from the disk"),
        SSD_ERRORS("SsdErrors", "Failures of the SSD, wrong and slow answers included"),
        FILL_READS("FillReads", "Pages read from the disks for fills"),
        FILL_READ_BYTES("FillReadBytes", "Bytes of those pages"),
        FILL_READ_NANOS("FillReadNanos", "Time of those reads, ns"),
        SSD_NANOS("SsdNanos", "Time of reads from the SSD, ns");

        private final MetricText text;

        Counter(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }
}
