// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static io.hearth.doctor.model.HadoopKey.FLUSH_BYTES;
import static io.hearth.doctor.model.HadoopKey.MSLAB;
import static io.hearth.doctor.model.HadoopKey.MSLAB_CHUNK_BYTES;
import static io.hearth.doctor.model.HadoopKey.OFF_HEAP_MEMSTORE_MB;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.model.ProcessConfig;

/**
 * What a RegionServer's heap is good for, by the arithmetic of its memstores, or what it has off the heap for them. All sizes are bytes.
 * Immutable.
 *
 * <p>Example, 12 GB of heap with defaults and 700 regions of one family: memstores may fill 4.8 GB; chunks take 1.4 GB of that before there
 * is data to speak of; 38 regions can fill 128 MB each, four times as many do well; if all 700 are written to alike, a flush has 7 MB.
 *
 * @param heapBytes the most that the heap can grow to
 * @param offHeapBytes what memstores may fill off the heap, in the place of a share of it; 0 where they are on it
 * @param flushBytes the size at which a memstore is worth a flush
 * @param chunkBytes what the first cell of each store takes of that room; 0 where MSLAB is off
 * @param stores of all its regions: regions times families
 */
public record MemstoreSizing(
        long heapBytes,
        MemstoreLimits limits,
        long offHeapBytes,
        long flushBytes,
        long chunkBytes,
        int regions,
        int stores) {

    /** Not all regions are written to alike: three to four times the number of full memstores goes well. */
    private static final int REGIONS_FOR_EACH_FULL_MEMSTORE = 4;

    /** More than any machine has. */
    private static final long MOST_MEGABYTES = 1L << 30;

    private static final int MEGABYTE_BITS = 20;

    /** @throws IllegalArgumentException if a key is no number */
    public static MemstoreSizing of(long heapBytes, int regions, int stores, ProcessConfig settings) {
        return new MemstoreSizing(
                heapBytes,
                MemstoreLimits.of(settings),
                offHeapBytes(settings),
                settings.number(FLUSH_BYTES),
                settings.is(MSLAB) ? settings.number(MSLAB_CHUNK_BYTES) : 0,
                regions,
                stores);
    }

    /** As HBase's {@code MemorySizeUtil.getGlobalMemStoreSize} has it: without MSLAB there is nothing off the heap. */
    private static long offHeapBytes(ProcessConfig settings) {
        return settings.is(MSLAB)
                ? Math.max(0, Math.min(MOST_MEGABYTES, settings.number(OFF_HEAP_MEMSTORE_MB))) << MEGABYTE_BITS
                : 0;
    }

    /** The same server with another number of regions, each with as many families. */
    public MemstoreSizing withRegions(int others) {
        return new MemstoreSizing(heapBytes, limits, offHeapBytes, flushBytes, chunkBytes, others, (int)
                Math.round(others * familiesPerRegion()));
    }

    /** What memstores may fill together; beyond it every write to the server waits. */
    public long roomBytes() {
        return offHeapBytes > 0 ? offHeapBytes : Math.round(heapBytes * limits.heapShare());
    }

    /** What {@link #roomBytes} is of, for a person: {@code 12.0 GB x 0.40}, {@code 20.0 GB off the heap}. */
    public String roomWords() {
        return offHeapBytes > 0
                ? HumanFormat.bytes(offHeapBytes) + " off the heap"
                : HumanFormat.bytes(heapBytes) + " x " + HumanFormat.decimal(limits.heapShare());
    }

    /** The mean number of families of a region, at least 1. */
    public double familiesPerRegion() {
        return regions == 0 ? 1 : Math.max(1, (double) stores / regions);
    }

    /** What MSLAB's chunks take as soon as each store has one cell. */
    public long chunksBytes() {
        return chunkBytes * stores;
    }

    /** How many regions can fill their memstores at a time, by heap x share / (flush size x families); at least 1. */
    public long regionsThatFill() {
        return Math.max(1, Math.round(roomBytes() / (flushBytes * familiesPerRegion())));
    }

    /** How many regions do well here: four times those that can fill their memstores. */
    public long regionsThatDoWell() {
        return REGIONS_FOR_EACH_FULL_MEMSTORE * regionsThatFill();
    }

    /** What a flush has if so many regions are written to alike: its share of the room, or the flush size if that is less. */
    public long flushBytesIfAlike(int writtenRegions) {
        return writtenRegions <= 0 ? flushBytes : Math.min(flushBytes, roomBytes() / writtenRegions);
    }
}
