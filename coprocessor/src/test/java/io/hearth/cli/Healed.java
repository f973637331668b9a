package io.hearth.cli;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.fakes.Racks;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.plan.MovePlan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Regions, looks, plans and moves as the healing thread tells of them. */
final class Healed {

    private Healed() {}

    static ServedRegion region(String name, String host, long localBytes, long totalBytes) {
        return new ServedRegion(
                new RegionId(name),
                new TableId("t"),
                HealRank.USER,
                HealMode.ON,
                new ServerId(host, 16020, 1),
                Optional.of(new ReportedLocality(localBytes, totalBytes)));
    }

    static ClusterLook look(ServedRegion... regions) {
        return ClusterLook.of(Arrays.asList(regions), List.of());
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
