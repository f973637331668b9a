package io.hearth.healing.loop;

import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.observe.LiveDataNodes;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.plan.PlacementRule;

/** Everything through which the loop touches the world. Immutable. */
public record HealingPorts(
        Assignments assignments,
        StoreFiles storeFiles,
        FileBlocks fileBlocks,
        LiveDataNodes dataNodes,
        PlacementRule placementRule,
        BlockMover mover,
        LocalityRefresh localityRefresh) {}
