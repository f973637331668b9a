// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.deletion.Replicas.ReplicaId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.DeletionDelayHooks.BlockReports;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.Test;

class BlockReportsTest {

    private static final int MAX_BYTES = 1 << 20;

    private final DatanodeStorage storage = new DatanodeStorage("DS-1");
    private final Map<DatanodeStorage, BlockListAsLongs> reports =
            Map.of(storage, BlockListAsLongs.encode(List.of(finalized(1), finalized(2), finalized(3))));

    private static FinalizedReplica finalized(long blockId) {
        return new FinalizedReplica(new Block(blockId, 100 + blockId, 1_001), null, null);
    }

    @Test
    void whatIsAbsentIsNotReportedAndTheRestIsAsItWas() {
        Map<DatanodeStorage, BlockListAsLongs> rest = BlockReports.without(
                Set.of(
                        new ReplicaId("BP-1", 2, 1_001),
                        new ReplicaId("BP-1", 3, 1_000),
                        new ReplicaId("BP-2", 1, 1_001)),
                "BP-1",
                reports,
                MAX_BYTES);

        assertThat(StreamSupport.stream(rest.get(storage).spliterator(), false).map(Block::new))
                .containsExactly(new Block(1, 101, 1_001), new Block(3, 103, 1_001));
    }

    @Test
    void withNothingAbsentItIsTheVeryReport() {
        assertThat(BlockReports.without(Set.of(), "BP-1", reports, MAX_BYTES)).isSameAs(reports);
    }
}
