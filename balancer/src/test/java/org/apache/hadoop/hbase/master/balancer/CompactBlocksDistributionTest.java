// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.HDFSBlocksDistribution.HostAndWeight;
import org.apache.hbase.thirdparty.com.google.common.collect.Interner;
import org.apache.hbase.thirdparty.com.google.common.collect.Interners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompactBlocksDistributionTest {

    private static final List<String> HOSTS =
            IntStream.range(0, 9).mapToObj(host -> "host" + host).toList();

    private final Interner<String> names = Interners.newStrongInterner();

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAnswerIsThatOfTheDistributionThatItWasMadeOf(long seed) {
        HDFSBlocksDistribution stock = random(new Random(seed));
        CompactBlocksDistribution compact = CompactBlocksDistribution.of(stock, names::intern);

        String why = "seed " + seed;
        assertThat(compact.getUniqueBlocksTotalWeight()).as(why).isEqualTo(stock.getUniqueBlocksTotalWeight());
        assertThat(compact.getTopHosts()).as(why).isEqualTo(stock.getTopHosts());
        assertThat(texts(compact.getTopHostsWithWeights())).as(why).isEqualTo(texts(stock.getTopHostsWithWeights()));
        assertThat(compact.getHostAndWeights().keySet())
                .as(why)
                .isEqualTo(stock.getHostAndWeights().keySet());
        assertThat(compact).as(why).hasToString(stock.toString());
        List<String> asked = new ArrayList<>(HOSTS);
        asked.add("nobody");
        for (String host : asked) {
            assertThat(compact.getWeight(host)).as(why).isEqualTo(stock.getWeight(host));
            assertThat(compact.getBlocksLocalWeight(host)).as(why).isEqualTo(stock.getBlocksLocalWeight(host));
            assertThat(compact.getBlocksLocalWithSsdWeight(host))
                    .as(why)
                    .isEqualTo(stock.getBlocksLocalWithSsdWeight(host));
            assertThat(compact.getBlockLocalityIndex(host)).as(why).isEqualTo(stock.getBlockLocalityIndex(host));
            assertThat(compact.getBlockLocalityIndexForSsd(host))
                    .as(why)
                    .isEqualTo(stock.getBlockLocalityIndexForSsd(host));
        }
    }

    /** Blocks of three replicas each, some of them on SSDs; some regions have none. */
    private static HDFSBlocksDistribution random(Random random) {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        boolean hasSsds = random.nextBoolean();
        int count = random.nextInt(12);
        for (int block = 0; block < count; block++) {
            List<String> hosts = new ArrayList<>(HOSTS);
            Collections.shuffle(hosts, random);
            StorageType[] types = new StorageType[3];
            for (int replica = 0; replica < types.length; replica++) {
                types[replica] = hasSsds && random.nextBoolean() ? StorageType.SSD : StorageType.DISK;
            }
            blocks.addHostsAndBlockWeight(hosts.subList(0, 3).toArray(String[]::new), 1 + random.nextInt(3), types);
        }
        return blocks;
    }

    private static List<String> texts(HostAndWeight[] weights) {
        List<String> texts = new ArrayList<>();
        for (HostAndWeight weight : weights) {
            texts.add(weight.getHost() + " " + weight.getWeight() + " " + weight.getWeightForSsd());
        }
        return texts;
    }

    /** HBase counts a host for each replica on it, which makes a region more than local there. */
    @Test
    void aHostNeverHasMoreThanThereIs() {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        blocks.addHostsAndBlockWeight(
                new String[] {"a", "a"}, 70, new StorageType[] {StorageType.SSD, StorageType.SSD});
        CompactBlocksDistribution compact = CompactBlocksDistribution.of(blocks, names::intern);

        assertThat(compact.getBlockLocalityIndex("a")).isEqualTo(1);
        assertThat(compact.getBlockLocalityIndexForSsd("a")).isEqualTo(1);
    }

    @Test
    void itCannotBeChanged() {
        CompactBlocksDistribution compact = CompactBlocksDistribution.of(new HDFSBlocksDistribution(), names::intern);

        assertThatThrownBy(() -> compact.add(new HDFSBlocksDistribution()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("What is known of a region's blocks can't be changed; make a new distribution.");
        assertThatThrownBy(() -> compact.addHostsAndBlockWeight(new String[] {"a"}, 1))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() ->
                        compact.addHostsAndBlockWeight(new String[] {"a"}, 1, new StorageType[] {StorageType.DISK}))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
