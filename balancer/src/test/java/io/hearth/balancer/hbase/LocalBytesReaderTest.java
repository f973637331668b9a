// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.state.LocalBytes;
import java.util.Map;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.junit.jupiter.api.Test;

class LocalBytesReaderTest {

    @Test
    void bytesAreToldByHost() {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        blocks.addHostsAndBlockWeight(new String[] {"a", "b"}, 70);
        blocks.addHostsAndBlockWeight(new String[] {"b"}, 30);
        LocalBytes local = LocalBytesReader.read(blocks);

        assertThat(local.totalBytes()).hasValue(100);
        assertThat(local.bytesByHost()).isEqualTo(Map.of("a", 70L, "b", 100L));
    }

    /** HBase counts a host for each replica on it. */
    @Test
    void aHostNeverHasMoreThanThereIs() {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        blocks.addHostsAndBlockWeight(new String[] {"a", "a"}, 70);

        assertThat(LocalBytesReader.read(blocks).bytesByHost()).isEqualTo(Map.of("a", 70L));
    }
}
