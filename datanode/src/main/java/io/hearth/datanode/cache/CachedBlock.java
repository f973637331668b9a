// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import java.util.BitSet;
import java.util.Optional;

/**
 * One block on the SSD, or a part of it: which replica it is a copy of, its two files, and which pages are there.
 *
 * <p>A page is absent, then claimed by the one thread that fills it, then present, and never absent again. A block that was dropped
 * stays so, and gets no pages any more; who reads it may read on. One that a restart brought back has no {@link #meta} until somebody
 * has compared its copy of the meta file with the disk's; nothing of it is served before. Thread-safe; its lock is taken inside
 * {@link CacheIndex}'s.
 */
final class CachedBlock {

    private final ReplicaVersion version;
    private final PageFile dataFile;
    private final PageFile metaFile;
    private final boolean isRestored;
    /** Guarded by this, as all below are. */
    private final BitSet present;

    private final BitSet claimed = new BitSet();
    private Optional<ReplicaMeta> meta;
    private boolean isBeingConfirmed;
    private boolean isDropped;

    private CachedBlock(
            ReplicaVersion version, PageFile dataFile, PageFile metaFile, Optional<ReplicaMeta> meta, BitSet present) {
        this.version = version;
        this.dataFile = dataFile;
        this.metaFile = metaFile;
        this.meta = meta;
        this.present = present;
        this.isRestored = meta.isEmpty();
    }

    /** A block whose meta file was copied just now, and none of whose pages are there. */
    static CachedBlock created(ReplicaVersion version, PageFile dataFile, PageFile metaFile, ReplicaMeta meta) {
        return new CachedBlock(version, dataFile, metaFile, Optional.of(meta), new BitSet());
    }

    /** A block of an earlier process. */
    static CachedBlock restored(ReplicaVersion version, PageFile dataFile, PageFile metaFile, BitSet present) {
        return new CachedBlock(version, dataFile, metaFile, Optional.empty(), (BitSet) present.clone());
    }

    ReplicaVersion version() {
        return version;
    }

    BlockKey key() {
        return version.key();
    }

    PageFile dataFile() {
        return dataFile;
    }

    PageFile metaFile() {
        return metaFile;
    }

    boolean isRestored() {
        return isRestored;
    }

    /** What verifies its data; empty until it is confirmed. */
    synchronized Optional<ReplicaMeta> meta() {
        return meta;
    }

    /** Claims the comparison with the disk's meta file; false if another thread has it, or it is done. */
    synchronized boolean beginConfirm() {
        if (isBeingConfirmed || meta.isPresent() || isDropped) {
            return false;
        }
        isBeingConfirmed = true;
        return true;
    }

    /** Ends the comparison; empty where it could not be made. */
    synchronized void endConfirm(Optional<ReplicaMeta> confirmed) {
        isBeingConfirmed = false;
        meta = confirmed;
    }

    /** Whether a page is there; it is so for a dropped block too, of whom a reader has the files still open. */
    synchronized boolean has(int page) {
        return present.get(page);
    }

    /** Whether every page is there. */
    synchronized boolean isComplete() {
        return present.cardinality() == dataFile.pages();
    }

    /** Claims a page that is absent, to fill it. */
    synchronized boolean claim(int page) {
        if (isDropped || present.get(page) || claimed.get(page)) {
            return false;
        }
        claimed.set(page);
        return true;
    }

    /** Gives up a claim, whether the page was filled or not. */
    synchronized void unclaim(int page) {
        claimed.clear(page);
    }

    /** The page is on the SSD; false, and without effect, where the block was dropped meanwhile. */
    synchronized boolean markPresent(int page) {
        if (isDropped) {
            return false;
        }
        present.set(page);
        return true;
    }

    /** Drops it; false if it was dropped before. */
    synchronized boolean markDropped() {
        boolean isFirst = !isDropped;
        isDropped = true;
        return isFirst;
    }

    synchronized boolean isDropped() {
        return isDropped;
    }

    /** The first page that is neither there nor being filled, from this one on; -1 where there is none. */
    synchronized int nextAbsent(int from) {
        int page = from;
        while (page < dataFile.pages() && (present.get(page) || claimed.get(page))) {
            page++;
        }
        return page < dataFile.pages() ? page : -1;
    }

    synchronized BitSet present() {
        return (BitSet) present.clone();
    }

    /** What it takes of the SSD: its meta file and the pages that are there. */
    synchronized long bytes() {
        int pages = present.cardinality();
        long bytes = metaFile.length() + (long) pages * dataFile.pageBytes();
        int last = dataFile.pages() - 1;
        return last >= 0 && present.get(last) ? bytes - dataFile.pageBytes() + dataFile.lengthOf(last) : bytes;
    }
}
