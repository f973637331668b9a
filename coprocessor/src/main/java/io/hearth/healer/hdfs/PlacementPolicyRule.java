package io.hearth.healer.hdfs;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.plan.PlacementRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.net.NetworkTopology;

/**
 * The placement policy named in {@code dfs.block.replicator.classname}, asked as the HDFS Balancer asks it:
 * {@code isMovable(holders and target, giver, target)}. The master's configuration must name the NameNode's policy, and its
 * upgrade domain factor where that is used. Thread-safe where the policy is.
 */
final class PlacementPolicyRule implements PlacementRule {

    private final DataNodeCache cache;
    private final BlockPlacementPolicy policy;

    PlacementPolicyRule(DataNodeCache cache, Configuration conf) {
        this.cache = cache;
        this.policy = new BlockPlacementPolicies(conf, null, NetworkTopology.getInstance(conf), null)
                .getPolicy(BlockType.CONTIGUOUS);
    }

    @Override
    public boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target) {
        List<DataNode> all = new ArrayList<>(holders);
        all.add(target);
        Optional<DatanodeInfo> from = cache.info(source);
        Optional<DatanodeInfo> to = cache.info(target);
        return from.isPresent()
                && to.isPresent()
                && cache.infos(all)
                        .filter(infos -> policy.isMovable(infos, from.get(), to.get()))
                        .isPresent();
    }
}
