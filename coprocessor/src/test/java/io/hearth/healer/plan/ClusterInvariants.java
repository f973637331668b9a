// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What must hold of a world after any moves, compared with the world before. */
final class ClusterInvariants {

    private ClusterInvariants() {}

    static void check(ClusterModel before, ClusterModel after, String what) {
        Map<BlockId, BlockReplicas> now = after.blocks();
        before.blocks().forEach((id, was) -> {
            BlockReplicas is = Objects.requireNonNull(now.get(id));
            // One whose replicas are where they were has lost nothing: most of them.
            if (!is.equals(was)) {
                checkBlock(was, is, before.factor(), what);
            }
        });
        for (ClusterModel.Region region : before.regions()) {
            assertThat(after.localBytes(region))
                    .as("local bytes of %s; %s", region, what)
                    .isGreaterThanOrEqualTo(before.localBytes(region));
        }
    }

    private static void checkBlock(BlockReplicas was, BlockReplicas is, int factor, String what) {
        assertThat(is.replicas()).as("replicas of %s; %s", was, what).hasSameSizeAs(was.replicas());
        assertThat(is.holders().stream().distinct())
                .as("holders of %s; %s", is, what)
                .hasSameSizeAs(is.replicas());
        List<DataNode> now = is.counted().holders();
        List<DataNode> before = was.counted().holders();
        assertThat(NaivePlanner.racks(now).size())
                .as("racks of %s, before %s; %s", is, was, what)
                .isGreaterThanOrEqualTo(NaivePlanner.racks(before).size());
        boolean named = now.stream().anyMatch(node -> node.upgradeDomain().isPresent());
        int domains = NaivePlanner.domains(before).size();
        if (named) {
            assertThat(NaivePlanner.domains(now).size())
                    .as("upgrade domains of %s, before %s; %s", is, was, what)
                    .isGreaterThanOrEqualTo(Math.min(factor, domains));
        }
        assertThat(types(is)).as("storage types of %s; %s", is, what).isEqualTo(types(was));
    }

    private static List<StorageType> types(BlockReplicas block) {
        return block.replicas().stream().map(Replica::storageType).sorted().toList();
    }
}
