// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.cache.CacheReplay.CacheSetup;
import io.hearth.bench.cache.CacheReplay.RealResult;
import io.hearth.bench.cache.HotBlockTrace.Shape;
import io.hearth.bench.cache.ReplayResult.Totals;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheReplayTest {

    private static final HotBlockTrace TRACE = new HotBlockTrace(new Shape(200, 4_000, 1.1, 0.1, 0), 1);
    private static final long PLENTY = 1L << 40;

    /** Nothing fails, and whole blocks are filled at once: so there is nothing that the shadow can't know. */
    @ParameterizedTest(name = "whole blocks {0}")
    @ValueSource(booleans = {false, true})
    void theShadowSaysWhatTheCacheDoes(boolean wholeBlocks) throws IOException {
        RealResult result = CacheReplay.ofCache(TRACE, new CacheSetup(PLENTY, wholeBlocks, 3, 1), 5);

        Totals real = result.cache().steady();
        Totals shadow = result.shadow().steady();
        assertThat(real.clientBytes()).isEqualTo(shadow.clientBytes()).isPositive();
        assertThat(real.ssdShare()).isCloseTo(shadow.ssdShare(), within(0.001)).isGreaterThan(0.5);
        assertThat(result.storedBytes()).isEqualTo(result.cache().all().writtenBytes());
        assertThat(result.overBudget()).isZero();
    }

    /** The shadow has the trace's own lengths, the cache itself lengths divided by 256. */
    @Test
    void dividedLengthsLeaveTheSharesAsTheyAre() throws IOException {
        CacheSetup setup = new CacheSetup(PLENTY, false, 3, 1);
        ReplayResult shadow = CacheReplay.ofShadow(TRACE, setup, List.of(5)).get(0);
        ReplayResult real = CacheReplay.ofCache(TRACE, setup, 5).cache();

        assertThat(real.all().ssdShare()).isCloseTo(shadow.all().ssdShare(), within(0.01));
        assertThat(real.all().reuse()).isCloseTo(shadow.all().reuse(), within(0.01));
        assertThat((double) CacheReplay.SCALE * real.usedBytes() / shadow.usedBytes())
                .isCloseTo(1, within(0.01));
    }

    @Test
    void anAdmissionThatAsksForMoreReadsCachesLess() {
        List<ReplayResult> results =
                CacheReplay.ofShadow(TRACE, new CacheSetup(PLENTY, false, 2, 1), List.of(0, 5, 20, 59));

        assertThat(results)
                .extracting(result -> result.all().writtenBytes())
                .isSortedAccordingTo((one, next) -> Long.compare(next, one))
                .doesNotHaveDuplicates();
        assertThat(results)
                .extracting(result -> result.all().ssdShare())
                .isSortedAccordingTo((one, next) -> Double.compare(next, one));
    }

    /** An SSD of 4 GiB has room for ten blocks of 380 MiB, and may be written once a day. */
    @Test
    void aSmallSsdEvictsAndKeepsItsBudget() throws IOException {
        CacheSetup setup = new CacheSetup(4L << 30, true, 5, 1);
        RealResult real = CacheReplay.ofCache(TRACE, setup, 0);

        assertThat(real.overBudget()).isPositive();
        assertThat((double) CacheReplay.SCALE * real.cache().all().writtenBytes() / (4L << 30))
                .isLessThanOrEqualTo(1 + 5.0 / 24);
        assertThat(real.cache().all().evictedBlocks()).isPositive();
        assertThat(CacheReplay.SCALE * real.cache().usedBytes()).isLessThanOrEqualTo(4L << 30);
    }

    @Test
    void blocksOfZerosAreOfWholeChunks() {
        assertThat(new ZeroBlocks(1_024).metaBytes()).isEqualTo(7 + 2 * 4);
        assertThatThrownBy(() -> new ZeroBlocks(1_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1000 bytes are no whole number of chunks");
    }

    @Test
    void sharesOfNothingAreNothing() {
        assertThat(Totals.NONE.ssdShare()).isZero();
        assertThat(Totals.NONE.reuse()).isZero();
        assertThat(new Totals(10, 4, 3, 1, 0, 0).ssdShare()).isEqualTo(0.4);
        assertThat(new Totals(10, 4, 3, 1, 0, 0).reuse()).isEqualTo(0.75);
        assertThat(new Totals(9, 8, 7, 6, 5, 4).minus(new Totals(1, 1, 1, 1, 1, 1)))
                .isEqualTo(new Totals(8, 7, 6, 5, 4, 3));
    }
}
