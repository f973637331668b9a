// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.DataNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A hard rule for the place of replicas: whether one DataNode may take the place of another. */
@FunctionalInterface
public interface PlacementRule {

    /**
     * Whether the block may have the replica of {@code source} deleted once {@code target} has one.
     *
     * @param holders the DataNodes that hold a replica, {@code source} among them and {@code target} not
     */
    boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target);

    /** Both rules at once. */
    default PlacementRule and(PlacementRule other) {
        return (holders, source, target) ->
                mayReplace(holders, source, target) && other.mayReplace(holders, source, target);
    }

    /**
     * The rule that a move must not lower the number of racks that hold the block: what
     * {@code BlockPlacementPolicyDefault.isMovable} tests, and what the NameNode tests before it follows the hint which replica
     * to delete. So the source's rack has another holder, or the target's rack has none but the source.
     */
    final class RackRule implements PlacementRule {

        @Override
        public boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target) {
            return isHeld(holders, source.rack(), source) || !isHeld(holders, target.rack(), source);
        }

        /** Whether some holder other than {@code without} is on this rack. */
        private static boolean isHeld(List<DataNode> holders, String rack, DataNode without) {
            for (DataNode holder : holders) {
                if (holder.rack().equals(rack) && !holder.id().equals(without.id())) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * The rule that a move must not lower the number of upgrade domains that hold the block below the factor that the NameNode
     * keeps up. As in {@code BlockPlacementPolicyWithUpgradeDomain}, a DataNode that names no domain is one of its own; where
     * none of them names one, everything is allowed. It holds whatever policy the master's configuration names: DataNodes have
     * upgrade domains only where the NameNode's policy goes by them.
     */
    final class UpgradeDomainRule implements PlacementRule {

        private final int factor;

        /** @param factor {@code dfs.namenode.upgrade.domain.factor} */
        public UpgradeDomainRule(int factor) {
            this.factor = factor;
        }

        @Override
        public boolean mayReplace(List<DataNode> holders, DataNode source, DataNode target) {
            if (!anyNamed(holders) && target.upgradeDomain().isEmpty()) {
                return true;
            }
            Set<String> before = new HashSet<>();
            Set<String> after = new HashSet<>(Set.of(domain(target)));
            for (DataNode holder : holders) {
                before.add(domain(holder));
                if (!holder.id().equals(source.id())) {
                    after.add(domain(holder));
                }
            }
            return after.size() >= Math.min(before.size(), factor);
        }

        private static boolean anyNamed(List<DataNode> nodes) {
            for (DataNode node : nodes) {
                if (node.upgradeDomain().isPresent()) {
                    return true;
                }
            }
            return false;
        }

        private static String domain(DataNode node) {
            return node.upgradeDomain().orElse("of " + node.id().uuid());
        }
    }
}
