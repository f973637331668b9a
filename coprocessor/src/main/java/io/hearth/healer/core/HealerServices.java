// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.RegionCompactor;
import io.hearth.healer.plan.PlacementRule;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.LiveDataNodes;
import io.hearth.healer.spi.NameNodeProbe;
import io.hearth.healer.spi.ReadProbe;
import io.hearth.healer.spi.StoreFiles;
import java.time.Clock;

/**
 * Everything through which the loop touches the world. Immutable.
 *
 * @param wallClock the time of day of the windows, with the master's time zone
 */
public record HealerServices(
        Assignments assignments,
        StoreFiles storeFiles,
        FileBlocks fileBlocks,
        LiveDataNodes dataNodes,
        PlacementRule placementRule,
        BlockMover mover,
        BlocksMovedListener blocksMovedListener,
        NameNodeProbe nameNodeProbe,
        ReadProbe readProbe,
        RegionCompactor compactor,
        Clock wallClock) {}
