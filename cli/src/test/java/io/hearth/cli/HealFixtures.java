// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Regions, snapshots, plans and moves as the healing thread tells of them. */
final class HealFixtures {

    private HealFixtures() {}

    static ServedRegion region(String name, String host, long localBytes, long totalBytes) {
        return new ServedRegion(
                new EncodedRegionName(name),
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                new ServerId(host, 16020, 1),
                Optional.of(new ReportedLocality(localBytes, totalBytes)));
    }

    static AssignmentSnapshot snapshot(ServedRegion... regions) {
        return AssignmentSnapshot.of(Arrays.asList(regions), List.of());
    }

    static BlockMove move(ServedRegion region, long number, long bytes) {
        return new BlockMove(
                region.region(),
                "/f",
                new BlockId("pool", number, 1),
                bytes,
                StorageType.DISK,
                Racks.node("b1"),
                List.of(Racks.node("b1")),
                Racks.node("a1"),
                3,
                2);
    }

    static MovePlan plan(long localBytes, long totalBytes, Map<SkipReason, Long> skipped, BlockMove... moves) {
        return new MovePlan(Arrays.asList(moves), skipped, localBytes, totalBytes);
    }
}
