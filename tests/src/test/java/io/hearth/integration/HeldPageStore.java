// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.cache.PageStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/** Another page store, in which a test holds the reads and writes of pages up, as an SSD that is slow or hangs does. Thread-safe. */
final class HeldPageStore implements PageStore {

    private final PageStore store;
    private final List<Hold> holds = new CopyOnWriteArrayList<>();

    HeldPageStore(PageStore store) {
        this.store = store;
    }

    /** Where an operation is held. */
    enum Moment {
        BEFORE_PUT,
        AFTER_PUT,
        BEFORE_GET
    }

    /** Holds all that is done with pages of this number at this moment, until it is closed. */
    Hold hold(Moment moment, int page) {
        Hold hold = new Hold(moment, page);
        holds.add(hold);
        return hold;
    }

    /** What is held up. */
    final class Hold implements AutoCloseable {

        private final Moment moment;
        private final int page;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        private Hold(Moment moment, int page) {
            this.moment = moment;
            this.page = page;
        }

        /** Waits until something is held. */
        void awaitHeld() throws InterruptedException {
            assertThat(begun.await(1, TimeUnit.MINUTES))
                    .as("page %s comes to %s", page, moment)
                    .isTrue();
        }

        private void holdUp() throws IOException {
            begun.countDown();
            try {
                ended.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }

        /** Lets it go on, and holds nothing more. */
        void end() {
            holds.remove(this);
            ended.countDown();
        }

        @Override
        public void close() {
            end();
        }
    }

    private void come(Moment moment, int page) throws IOException {
        for (Hold hold : holds) {
            if (hold.moment == moment && hold.page == page) {
                hold.holdUp();
            }
        }
    }

    @Override
    public long newFileId() {
        return store.newFileId();
    }

    @Override
    public void create(PageFile file) throws IOException {
        store.create(file);
    }

    @Override
    public void put(PageFile file, int page, ByteBuffer bytes) throws IOException {
        come(Moment.BEFORE_PUT, page);
        store.put(file, page, bytes);
        come(Moment.AFTER_PUT, page);
    }

    @Override
    public PageReader open(PageFile file) throws IOException {
        PageReader reader = store.open(file);
        return new PageReader() {

            @Override
            public int get(int page, int offset, ByteBuffer target) throws IOException {
                come(Moment.BEFORE_GET, page);
                return reader.get(page, offset, target);
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }

    @Override
    public void delete(long fileId) throws IOException {
        store.delete(fileId);
    }

    @Override
    public void trim(PageFile file, BitSet kept) throws IOException {
        store.trim(file, kept);
    }

    @Override
    public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
        return store.deleteUnknown(isKnown, isCancelled);
    }

    @Override
    public long freeBytes() throws IOException {
        return store.freeBytes();
    }

    @Override
    public Optional<Path> path(PageFile file) {
        return store.path(file);
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
