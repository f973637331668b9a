// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a DataNode says of its read cache on an SSD. Immutable.
 *
 * @param ssdBytes what clients have got from the SSD since the DataNode started
 * @param diskBytes what they have got from disks meanwhile
 */
public record ProbedReadCache(Mode mode, CacheSsd ssd, long ssdBytes, long diskBytes, CacheDay lastDay) {

    /** What the cache does with a client's read, in the order in which a DataNode numbers it. */
    public enum Mode {
        OFF,
        SHADOW,
        ON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Why a cache that is on serves nothing. */
    public enum Trouble {
        SSD_FAILED("switched off: its SSD failed"),
        FOLDER_NOT_OPEN("its folder is not open");

        private final String words;

        Trouble(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /**
     * The SSD of a cache. Immutable.
     *
     * @param isServing whether it is read and written now
     * @param trips how often its failures have switched the cache off, since its folder was opened; 0 where none is open
     * @param maxBytes what the cache holds at most
     * @param dailyWriteBytes what may be written in a day
     */
    public record CacheSsd(boolean isServing, long trips, long maxBytes, long dailyWriteBytes) {}

    /**
     * What a cache has done within the last day. Immutable.
     *
     * @param overMs how long that was; less than a day after a start of the DataNode
     * @param hits pages that reads have found on the SSD
     * @param fills pages that were written to it
     * @param writtenBytes bytes that were written to it, checksums included
     */
    public record CacheDay(long overMs, long hits, long fills, long writtenBytes) {

        private static final long DAY_MS = 86_400_000;

        /** Whether it tells of a whole day. */
        public boolean isWhole() {
            return overMs >= DAY_MS;
        }

        /** What share of the pages that were filled or hit were hits; empty where there were none. */
        public OptionalDouble hitRatio() {
            double pages = (double) hits + fills;
            return pages > 0 ? OptionalDouble.of(hits / pages) : OptionalDouble.empty();
        }

        /** The bytes written in a day; in a shorter time those bytes, which may have filled an SSD that was empty. */
        public long writtenBytesPerDay() {
            return (long) ((double) writtenBytes * DAY_MS / Math.max(DAY_MS, overMs));
        }
    }

    /** Why it serves nothing; empty where it serves, or is not meant to. */
    public Optional<Trouble> trouble() {
        if (mode != Mode.ON || ssd.isServing()) {
            return Optional.empty();
        }
        return Optional.of(ssd.trips() > 0 ? Trouble.SSD_FAILED : Trouble.FOLDER_NOT_OPEN);
    }
}
