// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Where pages are kept: put, get and delete by file id and page number.
 *
 * <p>What was put may come back wrong, short or not at all: the caller verifies it. What must hold: an id that was given out is never
 * given out again, not after a restart either, so that a late deletion can't meet another file; a page that is put after its file was
 * deleted leaves nothing behind; who has a file open may read on after its deletion, or gets an {@link IOException}.
 *
 * <p>Thread-safe. Everything may throw an IOException, and a {@link java.nio.channels.ClosedByInterruptException} where the thread was
 * interrupted, which harms no other thread.
 */
public interface PageStore extends Closeable {

    /**
     * A file of pages: a block's data, or the copy of its meta file. Immutable.
     *
     * @param id its name in the store
     * @param length its bytes, of which some or all may be there
     * @param pageBytes the size of a page; the last one may be shorter
     */
    record PageFile(long id, long length, int pageBytes) {

        public int pages() {
            return Math.toIntExact((length + pageBytes - 1) / pageBytes);
        }

        public int pageOf(long position) {
            return (int) (position / pageBytes);
        }

        public long startOf(int page) {
            return (long) page * pageBytes;
        }

        public int lengthOf(int page) {
            return (int) Math.min(pageBytes, length - startOf(page));
        }
    }

    /** One file, open for reading by one thread at a time. */
    interface PageReader extends Closeable {

        /**
         * Reads from this page until the buffer is full or the page ends; returns how many bytes, fewer where the store has fewer.
         *
         * @param offset where in the page to begin
         */
        int get(int page, int offset, ByteBuffer target) throws IOException;
    }

    /** An id that no file has or had: above all that were given out before. */
    long newFileId();

    /** Makes an empty file. */
    void create(PageFile file) throws IOException;

    /** Writes one page of a file that {@link #create} has made; fails if it was deleted. The buffer's remaining bytes are the page. */
    void put(PageFile file, int page, ByteBuffer bytes) throws IOException;

    PageReader open(PageFile file) throws IOException;

    /** Deletes a file with all its pages; one that is not there is no error. */
    void delete(long fileId) throws IOException;

    /**
     * Gives up the space of pages that are not among these, as far as the store can; those stay as they are. While it runs nothing else
     * may be done with the file.
     *
     * @throws IOException where the file is not there, too
     */
    void trim(PageFile file, BitSet kept) throws IOException;

    /**
     * Deletes every file whose id is not known, and returns how many there were.
     *
     * @param isKnown asked for each file that is there
     * @param isCancelled asked now and then; ends it early
     */
    int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException;

    /** The free bytes of what the store is on. */
    long freeBytes() throws IOException;

    /** The file with these pages at the same offsets, for stores that have one. */
    Optional<Path> path(PageFile file);
}
