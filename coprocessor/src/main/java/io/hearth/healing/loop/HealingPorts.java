package io.hearth.healing.loop;

import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.execute.Compactor;
import io.hearth.healing.observe.Assignments;
import io.hearth.healing.observe.FileBlocks;
import io.hearth.healing.observe.LiveDataNodes;
import io.hearth.healing.observe.NameNodePulse;
import io.hearth.healing.observe.ReadProbe;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.plan.PlacementRule;
import java.time.Clock;

/**
 * Everything through which the loop touches the world. Immutable.
 *
 * @param wallClock the time of day of the windows, with the master's time zone
 */
public record HealingPorts(
        Assignments assignments,
        StoreFiles storeFiles,
        FileBlocks fileBlocks,
        LiveDataNodes dataNodes,
        PlacementRule placementRule,
        BlockMover mover,
        LocalityRefresh localityRefresh,
        NameNodePulse nameNodePulse,
        ReadProbe readProbe,
        Compactor compactor,
        Clock wallClock) {}
