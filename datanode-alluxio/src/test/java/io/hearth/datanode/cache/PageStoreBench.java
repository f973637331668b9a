// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Alluxio's store costs beside the cache's own, in one run: the CPU time of a page of 1 MB, put at once and read in pieces of 128 KiB
 * as a client's read does, from the page cache of the system; and the heap that a page takes. Argument: a folder to work in.
 */
final class PageStoreBench {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int PAGE_BYTES = 1 << 20;
    private static final int PIECE_BYTES = 128 << 10;
    private static final int FILES = 4;
    private static final int PAGES_PER_FILE = 128;
    private static final int ROUNDS = 7;
    private static final int SMALL_FILES = 400;

    private PageStoreBench() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory(Path.of(arguments[0]), "page-stores");
        Map<String, PageStoreFactory> stores = new LinkedHashMap<>();
        stores.put("own", LocalPageStore::open);
        stores.put("alluxio", AlluxioPageStoreTest.STORES);
        Map<String, List<Double>> times = new LinkedHashMap<>();
        // The first round warms up.
        for (int round = -1; round < ROUNDS; round++) {
            for (Map.Entry<String, PageStoreFactory> kind : stores.entrySet()) {
                try (PageStore store =
                        kind.getValue().open(folder.resolve(kind.getKey()).resolve("" + round))) {
                    double[] micros = microsPerPage(store);
                    if (round >= 0) {
                        times.computeIfAbsent(kind.getKey() + " put", key -> new ArrayList<>())
                                .add(micros[0]);
                        times.computeIfAbsent(kind.getKey() + " get", key -> new ArrayList<>())
                                .add(micros[1]);
                    }
                    store.deleteUnknown(id -> false, () -> false);
                }
            }
        }
        times.forEach((what, micros) -> {
            double[] sorted = micros.stream().mapToDouble(each -> each).sorted().toArray();
            System.out.printf(
                    "%-12s %6.0f us of CPU for 1 MB, median of %d (%.0f to %.0f)%n",
                    what, sorted[ROUNDS / 2], ROUNDS, sorted[0], sorted[ROUNDS - 1]);
        });
        for (Map.Entry<String, PageStoreFactory> kind : stores.entrySet()) {
            try (PageStore store =
                    kind.getValue().open(folder.resolve(kind.getKey()).resolve("heap"))) {
                System.out.printf("%-12s %6.1f bytes of heap for a page%n", kind.getKey(), heapBytesPerPage(store));
                store.deleteUnknown(id -> false, () -> false);
            }
        }
    }

    private static double[] microsPerPage(PageStore store) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
        List<PageFile> files = new ArrayList<>();
        long start = THREADS.getCurrentThreadCpuTime();
        for (int number = 0; number < FILES; number++) {
            PageFile file = new PageFile(store.newFileId(), (long) PAGES_PER_FILE * PAGE_BYTES, PAGE_BYTES);
            store.create(file);
            files.add(file);
            for (int each = 0; each < PAGES_PER_FILE; each++) {
                store.put(file, each, page.clear());
            }
        }
        long put = THREADS.getCurrentThreadCpuTime();
        ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
        for (PageFile file : files) {
            try (PageReader reader = store.open(file)) {
                for (long at = 0; at < file.length(); at += PIECE_BYTES) {
                    int read = reader.get(file.pageOf(at), (int) (at - file.startOf(file.pageOf(at))), piece.clear());
                    if (read != PIECE_BYTES) {
                        throw new IOException("read " + read + " at " + at);
                    }
                }
            }
        }
        long end = THREADS.getCurrentThreadCpuTime();
        double pages = 1_000.0 * FILES * PAGES_PER_FILE;
        return new double[] {(put - start) / pages, (end - put) / pages};
    }

    private static double heapBytesPerPage(PageStore store) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(16);
        long before = usedBytes();
        for (int number = 0; number < SMALL_FILES; number++) {
            PageFile file = new PageFile(store.newFileId(), (long) PAGES_PER_FILE * 16, 16);
            store.create(file);
            for (int each = 0; each < PAGES_PER_FILE; each++) {
                store.put(file, each, page.clear());
            }
        }
        return (usedBytes() - before) / (double) (SMALL_FILES * PAGES_PER_FILE);
    }

    private static long usedBytes() {
        long[] used = new long[5];
        for (int number = 0; number < used.length; number++) {
            System.gc();
            used[number] =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        }
        return Arrays.stream(used).min().getAsLong();
    }
}
