// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/** The kind of storage that holds a replica, HDFS's {@code StorageType}. */
public enum StorageType {
    DISK(true),
    SSD(true),
    ARCHIVE(true),
    NVDIMM(true),
    /** Transient: a replica here is a copy on its way to disk. */
    RAM_DISK(false),
    /** Outside of HDFS: there is nothing to move. */
    PROVIDED(false);

    private final boolean movable;

    StorageType(boolean movable) {
        this.movable = movable;
    }

    /** Whether a replica of this type may be given up for one of the same type elsewhere. */
    public boolean movable() {
        return movable;
    }
}
