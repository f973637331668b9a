// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hearth.doctor.capacity.FlushChain.Link;
import io.hearth.doctor.capacity.FlushChain.Standing;
import io.hearth.doctor.capacity.FlushChain.Step;
import io.hearth.doctor.capacity.ServerMemory.Counters;
import io.hearth.doctor.capacity.ServerMemory.EffectiveConfig;
import io.hearth.doctor.capacity.ServerMemory.FlushCounters;
import io.hearth.doctor.capacity.ServerMemory.StoreLoad;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlushChainTest {

    private static final long MEGABYTE = 1L << 20;
    private static final long GIGABYTE = 1L << 30;

    /** The server of the report: 700 regions on 12 GB, flushes of 7 MB, a long queue, writes that wait. */
    private static final FlushCounters OF_THE_REPORT = new FlushCounters(
            1_000, 7_000 * MEGABYTE, 5_000 * MEGABYTE, 40_000 * MEGABYTE, 6 * MEGABYTE, 300, 12, 90_000);

    private static ServerMemory server(String host, int regions, int most, ProbeResult<FlushCounters> counters) {
        ProcessConfig settings = new ProcessConfig(Map.of());
        return new ServerMemory(
                host,
                new EffectiveConfig(settings, Optional.empty()),
                MemstoreSizing.of(12 * GIGABYTE, regions, regions, settings),
                new StoreLoad(regions * 4, most, 4 * GIGABYTE, 86_400_000),
                new Counters(counters, ProbeResult.unknown("not asked"), ProbeResult.unknown("not asked")));
    }

    private static ServerMemory healthy(String host) {
        return server(
                host,
                100,
                4,
                ProbeResult.known(new FlushCounters(
                        1_000, 100_000 * MEGABYTE, 60_000 * MEGABYTE, 120_000 * MEGABYTE, 100 * MEGABYTE, 2, 0, 0)));
    }

    @Test
    void theServerOfTheReportHasComeToItsEnd() {
        FlushChain chain = FlushChain.of(server("host1", 700, 17, ProbeResult.known(OF_THE_REPORT)));

        assertThat(chain.links())
                .extracting(Link::step, Link::standing)
                .containsExactly(
                        tuple(Step.CHUNKS, Standing.REACHED),
                        tuple(Step.REGIONS, Standing.REACHED),
                        tuple(Step.FLUSHES, Standing.REACHED),
                        tuple(Step.COMPACTIONS, Standing.REACHED),
                        tuple(Step.STORE_FILES, Standing.REACHED),
                        tuple(Step.WRITES, Standing.REACHED));
        assertThat(chain.links())
                .extracting(Link::numbers)
                .containsExactly(
                        "2.0 MB x 700 stores = 1.4 GB of the 4.8 GB for memstores (28 %) once each store has one cell",
                        "12.0 GB x 0.40 / 128.0 MB = 38 regions can fill their memstores, four times as many (152) do"
                                + " well; it has 700",
                        "if all 700 regions are written to alike, a flush has 7.0 MB of the 128.0 MB asked for;"
                                + " 1,000 flushes had 7.0 MB on average, half of the last ones at most 6.0 MB",
                        "300 compactions wait, 70 are a long queue for 700 stores; every byte that was flushed was"
                                + " compacted 8.00 times",
                        "a store has 4.0 files on average and 17 at most; above 16 (hbase.hstore.blockingStoreFiles)"
                                + " its flushes wait, up to 90 s (hbase.hstore.blockingWaitTime)",
                        "a region refuses writes from 4 x 128.0 MB = 512.0 MB in its memstore on"
                                + " (hbase.hregion.memstore.block.multiplier), all wait from 4.8 GB together on;"
                                + " since it started 12 were refused, and others waited 90 s");
    }

    @Test
    void aHealthyServerHasReachedNone() {
        FlushChain chain = FlushChain.of(healthy("host1"));

        assertThat(chain.isClear()).isTrue();
        assertThat(chain.links()).extracting(Link::standing).containsOnly(Standing.CLEAR);
    }

    /** HStore.hasTooManyStoreFiles: more than that many, not as many. */
    @Test
    void sixteenOfSixteenFilesHoldUpNoFlushYet() {
        assertThat(FlushChain.of(server("host1", 100, 16, healthy("host1").flushes()))
                        .links()
                        .get(Step.STORE_FILES.ordinal())
                        .standing())
                .isEqualTo(Standing.NEAR);
    }

    @Test
    void twelveOfSixteenFilesAreNear() {
        assertThat(FlushChain.of(server("host1", 100, 12, healthy("host1").flushes()))
                        .links()
                        .get(Step.STORE_FILES.ordinal())
                        .standing())
                .isEqualTo(Standing.NEAR);
        assertThat(FlushChain.of(server("host1", 100, 11, healthy("host1").flushes()))
                        .links()
                        .get(Step.STORE_FILES.ordinal())
                        .standing())
                .isEqualTo(Standing.CLEAR);
    }

    @Test
    void aFewSmallFlushesAreNoHabit() {
        FlushCounters few = new FlushCounters(19, 19 * MEGABYTE, 0, 0, MEGABYTE, 0, 0, 0);

        Link flushes = FlushChain.of(server("host1", 100, 4, ProbeResult.known(few)))
                .links()
                .get(Step.FLUSHES.ordinal());

        assertThat(flushes.standing()).isEqualTo(Standing.CLEAR);
    }

    @Test
    void countersThatCanNotBeReadAreUnknownAndNotZero() {
        FlushChain chain = FlushChain.of(server("host1", 700, 4, ProbeResult.unknown("it has no web UI")));

        assertThat(chain.links())
                .extracting(Link::standing)
                .containsExactly(
                        Standing.REACHED,
                        Standing.REACHED,
                        Standing.UNKNOWN,
                        Standing.UNKNOWN,
                        Standing.CLEAR,
                        Standing.UNKNOWN);
        assertThat(chain.links().get(Step.FLUSHES.ordinal()).numbers())
                .endsWith("; what it flushed is not known: it has no web UI");
    }

    @Test
    void theServerThatHasComeTheFurthestIsShown() {
        ServerMemory many = server("host2", 700, 4, healthy("host2").flushes());
        ServerMemory refusing = server(
                "host3",
                100,
                4,
                ProbeResult.known(new FlushCounters(
                        1_000, 100_000 * MEGABYTE, 60_000 * MEGABYTE, 120_000 * MEGABYTE, 100 * MEGABYTE, 2, 5, 0)));

        assertThat(FlushChain.furthest(List.of(healthy("host1"), many, refusing))
                        .map(FlushChain::host))
                .contains("host3");
        assertThat(FlushChain.furthest(List.of())).isEmpty();
    }
}
