// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.bench.heal.TransferNetwork.Link;
import io.hearth.bench.heal.TransferNetwork.Transfer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferNetworkTest {

    private final SimulatedTime time = new SimulatedTime();
    private final TransferNetwork network = new TransferNetwork(time);
    private final List<Long> endMs = new ArrayList<>();

    @Test
    void transfersShareALink() {
        Link link = new Link(100);

        start(100, link);
        start(100, link);
        start(50, link);
        time.advanceTo(10_000_000);

        assertThat(endMs).as("50 of each after 1.5 s, the rest by twos").containsExactly(1_500L, 2_500L, 2_500L);
    }

    @Test
    void whatOneCannotUseTheOthersGet() {
        Link link = new Link(100);
        Link slow = new Link(10);

        Transfer held = start(100, link, slow);
        Transfer free = start(90, link);

        assertThat(held.bytesPerSecond()).isEqualTo(10);
        assertThat(free.bytesPerSecond()).isEqualTo(90);
        time.advanceTo(1_000_000);
        assertThat(endMs).containsExactly(1_000L);
    }

    @Test
    void aTransferThatWaitedForALinkIsFasterWhenItIsFree() {
        Link link = new Link(100);

        start(50, link);
        Transfer second = start(150, link);
        time.advanceTo(1_000_001);

        assertThat(endMs).containsExactly(1_000L);
        assertThat(second.bytesPerSecond()).isEqualTo(100);
        time.advanceTo(3_000_000);
        assertThat(endMs).containsExactly(1_000L, 2_000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void noLinkCarriesMoreThanItCan(long seed) {
        RandomTransfers transfers = new RandomTransfers(seed);
        Map<Transfer, Double> carried = new HashMap<>();

        long lastMicros = 0;
        Collection<Transfer> before = List.of();
        Map<Transfer, Double> rates = Map.of();
        while (transfers.ended < transfers.count) {
            int changes = transfers.changes;
            time.advanceUntil(() -> transfers.changes > changes, Long.MAX_VALUE / 4);
            double seconds = (time.nowMicros() - lastMicros) / 1e6;
            for (Transfer open : before) {
                carried.merge(open, rates.getOrDefault(open, 0.0) * seconds, Double::sum);
            }
            lastMicros = time.nowMicros();
            before = List.copyOf(network.open());
            rates = new HashMap<>();
            for (Transfer open : before) {
                rates.put(open, open.bytesPerSecond());
            }
            assertThatNoLinkIsOverloaded(before, seed);
            transfers.begun.forEach(transfer -> assertThat(transfer.links())
                    .as("seed %d: a transfer that has just begun is as fast as some link allows", seed)
                    .anyMatch(link -> naiveSum(link, network.open()) >= link.bytesPerSecond() * (1 - 1e-6)));
            transfers.begun.clear();
        }

        transfers.bytesOf.forEach((transfer, bytes) -> assertThat(carried.get(transfer))
                .as("seed %d: bytes that a transfer carried by its rates", seed)
                .isCloseTo(bytes, within(bytes * 1e-3 + 10)));
    }

    private Transfer start(long bytes, Link... links) {
        return network.start(bytes, List.of(links), () -> endMs.add(time.nowMs()));
    }

    private static void assertThatNoLinkIsOverloaded(Collection<Transfer> open, long seed) {
        open.stream().flatMap(transfer -> transfer.links().stream()).distinct().forEach(link -> assertThat(
                        naiveSum(link, open))
                .as("seed %d: bytes per second on a link", seed)
                .isLessThanOrEqualTo(link.bytesPerSecond() * (1 + 1e-6)));
    }

    static double naiveSum(Link link, Collection<Transfer> open) {
        return open.stream()
                .filter(transfer -> transfer.links().contains(link))
                .mapToDouble(Transfer::bytesPerSecond)
                .sum();
    }

    /** Transfers between nodes with a throttle each, over two uplinks, that begin at any time. */
    private final class RandomTransfers {

        private final int count;
        private final Map<Transfer, Long> bytesOf = new HashMap<>();
        private final List<Transfer> begun = new ArrayList<>();
        private int ended;
        private int changes;

        RandomTransfers(long seed) {
            Random random = new Random(seed);
            count = 20 + random.nextInt(200);
            List<Link> nodes = new ArrayList<>();
            for (int node = 0; node < 2 + random.nextInt(10); node++) {
                nodes.add(new Link(10 + random.nextInt(1_000)));
            }
            List<Link> uplinks = List.of(new Link(50 + random.nextInt(2_000)), new Link(50 + random.nextInt(2_000)));
            for (int number = 0; number < count; number++) {
                Link from = nodes.get(random.nextInt(nodes.size() - 1));
                Link to = nodes.get(nodes.indexOf(from) + 1);
                long bytes = 1 + random.nextInt(5_000);
                List<Link> links =
                        random.nextBoolean() ? List.of(from, to) : List.of(from, to, uplinks.get(random.nextInt(2)));
                time.at(random.nextInt(20_000_000), () -> {
                    changes++;
                    Transfer transfer = network.start(bytes, links, () -> {
                        ended++;
                        changes++;
                    });
                    bytesOf.put(transfer, bytes);
                    begun.add(transfer);
                });
            }
        }
    }
}
