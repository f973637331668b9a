// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cache.EmulatedSsd.SsdTimes;
import io.hearth.datanode.cache.PageStore.PageFile;
import io.hearth.datanode.cache.PageStore.PageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** An SSD of 0.1 ms and a byte a microsecond; whoever waits moves the clock. */
class EmulatedSsdTest {

    private static final long MICROS = 1_000;
    private static final PageFile FILE = new PageFile(1, 4_096, 4_096);

    private long nanos;
    private final ZeroBlocks.CountingStore store = new ZeroBlocks(4_096).newStore();
    private final EmulatedSsd ssd =
            new EmulatedSsd(store, new SsdTimes(100 * MICROS, 1_000_000), () -> nanos, until -> nanos = until);

    private long microsOfRead(int bytes) throws IOException {
        long before = nanos;
        try (PageReader reader = ssd.open(FILE)) {
            assertThat(reader.get(0, 0, ByteBuffer.allocate(bytes))).isEqualTo(bytes);
        }
        return (nanos - before) / MICROS;
    }

    @Test
    void aReadTakesItsLatencyAndItsBytes() throws IOException {
        assertThat(microsOfRead(500)).isEqualTo(600);
    }

    @Test
    void aWriteDoesNotWaitButTakesBandwidth() throws IOException {
        ssd.put(FILE, 0, ByteBuffer.allocate(1_000));
        assertThat(nanos).isZero();
        assertThat(store.writtenBytes()).isEqualTo(1_000);
        assertThat(microsOfRead(500)).isEqualTo(1_600);
        assertThat(microsOfRead(500)).isEqualTo(600);
    }
}
