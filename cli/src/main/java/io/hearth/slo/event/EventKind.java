// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.event;

import java.util.Locale;

/**
 * What may happen in a cluster; those that explain slow requests best come first where not all are shown. The numbers are in stored files:
 * a new kind gets one of its own.
 */
public enum EventKind {
    /** A RegionServer has crashed or stopped: from outside both look the same. */
    SERVER_GONE(1, ""),
    /** A RegionServer has another start code than before. */
    SERVER_RESTARTED(2, ""),
    /** Another HMaster is active. */
    MASTER_CHANGED(3, ""),
    /** The HMaster could not be asked: what happened since it last answered is not known. */
    NOT_KNOWN(4, ""),
    /** Healing and balancing rest at this time; how many is 1, so that a sum is in minutes. */
    BRAKED(5, ""),
    /** Regions of a RegionServer that is gone are served elsewhere. */
    REGIONS_REASSIGNED(6, ""),
    /** Regions are served by another RegionServer than before, which is still there. */
    REGIONS_MOVED(7, ""),
    /** Block replicas were moved and confirmed; the size is in bytes. */
    BLOCKS_MOVED(8, "bytes"),
    /** Column families whose compaction was requested since their blocks can't be moved. */
    COMPACTIONS_REQUESTED(9, ""),
    /** Regions of which something was compacted, or is. */
    REGIONS_COMPACTED(10, ""),
    /** A RegionServer has joined. */
    SERVER_JOINED(11, ""),
    /** Regions whose memstore was flushed, once or more. */
    REGIONS_FLUSHED(12, "");

    private final int number;
    private final String sizeUnit;

    EventKind(int number, String sizeUnit) {
        this.number = number;
        this.sizeUnit = sizeUnit;
    }

    /** Its number in stored files. */
    public int number() {
        return number;
    }

    /**
     * The kind of this number.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static EventKind ofNumber(int number) {
        for (EventKind kind : values()) {
            if (kind.number == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no kind of event has the number " + number);
    }

    /** What {@link ClusterEvent.Amount#size} counts; empty where it is 0. */
    public String sizeUnit() {
        return sizeUnit;
    }

    /** As reports have it: {@code regions moved}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
