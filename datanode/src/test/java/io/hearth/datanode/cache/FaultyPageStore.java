// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/** A store whose operations first ask whether they fail. */
final class FaultyPageStore implements PageStore {

    /** What is done before an operation. */
    @FunctionalInterface
    interface Fault {
        void before() throws IOException;
    }

    /** What is free. */
    @FunctionalInterface
    interface FreeBytes {
        long now() throws IOException;
    }

    final PageStore store;
    volatile FreeBytes free;
    volatile Fault onPut = () -> {};
    volatile Fault onOpen = () -> {};
    volatile Fault onGet = () -> {};
    /** After a reader was closed. */
    volatile Fault onClose = () -> {};

    volatile Fault onDelete = () -> {};
    volatile Fault onCreate = () -> {};
    volatile Fault onTrim = () -> {};
    volatile Fault onDeleteUnknown = () -> {};
    /** After an id was taken, and before it is given out. */
    volatile Runnable onNewFileId = () -> {};

    FaultyPageStore(PageStore store) {
        this.store = store;
        this.free = store::freeBytes;
    }

    static Fault failing(String message) {
        return () -> {
            throw new IOException(message);
        };
    }

    @Override
    public long newFileId() {
        long id = store.newFileId();
        onNewFileId.run();
        return id;
    }

    @Override
    public void create(PageFile file) throws IOException {
        onCreate.before();
        store.create(file);
    }

    @Override
    public void put(PageFile file, int page, ByteBuffer bytes) throws IOException {
        onPut.before();
        store.put(file, page, bytes);
    }

    @Override
    public PageReader open(PageFile file) throws IOException {
        onOpen.before();
        PageReader reader = store.open(file);
        return new PageReader() {
            @Override
            public int get(int page, int offset, ByteBuffer target) throws IOException {
                onGet.before();
                return reader.get(page, offset, target);
            }

            @Override
            public void close() throws IOException {
                reader.close();
                onClose.before();
            }
        };
    }

    @Override
    public void delete(long fileId) throws IOException {
        onDelete.before();
        store.delete(fileId);
    }

    @Override
    public void trim(PageFile file, BitSet kept) throws IOException {
        onTrim.before();
        store.trim(file, kept);
    }

    @Override
    public int deleteUnknown(LongPredicate isKnown, BooleanSupplier isCancelled) throws IOException {
        onDeleteUnknown.before();
        return store.deleteUnknown(isKnown, isCancelled);
    }

    @Override
    public long freeBytes() throws IOException {
        return free.now();
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
