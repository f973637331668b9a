// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import io.hearth.datanode.cache.BlockAdmission;
import io.hearth.datanode.cache.BlockKey;
import io.hearth.datanode.cache.BucketTimeRateLimit;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures one access of the admission: blocks as popular as those of {@link HotBlockTrace}, and as many accesses a minute. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-Xmx1g")
public class AdmissionBenchmark {

    static final String BLOCK_POOL = "BP-526805057-10.0.0.1-1411980876842";
    static final Admission ADMISSION = new Admission(20, 60);
    static final long MOST_BYTES = 256L << 20;

    private static final int ACCESSES = 1 << 20;
    private static final int ACCESSES_PER_MINUTE = HotBlockTrace.Shape.HOST1.readsPerHour() / 60;

    private final BlockAdmission admission = new BucketTimeRateLimit(ADMISSION, MOST_BYTES);
    private final long[] blocks = new long[ACCESSES];

    /** Where a thread is in the accesses. */
    @State(Scope.Thread)
    public static class Progress {

        private int accesses;
        private int minute;
        private int inMinute;

        private int nextMinute() {
            if (++inMinute == ACCESSES_PER_MINUTE) {
                inMinute = 0;
                minute++;
            }
            return minute;
        }
    }

    @Setup
    public void draw() {
        int[] next = {0};
        int hours = 1 + ACCESSES / HotBlockTrace.Shape.HOST1.readsPerHour();
        new HotBlockTrace(HotBlockTrace.Shape.HOST1, 1).play(hours, (nowMs, block, position, length) -> {
            if (next[0] < ACCESSES) {
                blocks[next[0]++] = block;
            }
        });
    }

    @Benchmark
    public boolean access(Progress progress) {
        long block = blocks[progress.accesses++ & (ACCESSES - 1)];
        return admission.admits(new BlockKey(BLOCK_POOL, block), progress.nextMinute());
    }
}
