// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.month;

import java.lang.management.ManagementFactory;

/** Processor time and heap of this process. */
final class Cpu {

    private static final int COLLECTIONS = 3;

    private Cpu() {}

    /** Of the thread that calls, in nanoseconds. */
    static long ofThisThread() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Bytes of heap that are in use after collections. */
    static long heapAfterGc() {
        for (int collection = 0; collection < COLLECTIONS; collection++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
