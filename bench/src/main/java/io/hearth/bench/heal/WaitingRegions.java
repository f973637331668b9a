// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jol.info.GraphLayout;

/** What it costs that every region of a cluster waits to be healed: heap beside the snapshot of the assignments, and time of a poll. */
public final class WaitingRegions {

    private static final int WARM_UP = 3;
    private static final int POLLS = 11;

    private final int regions;
    private final AssignmentSnapshot before;
    private final AssignmentSnapshot after;

    /** A cluster of so many regions on so many servers, each of them remote. */
    public WaitingRegions(int regions, int servers) {
        this.regions = regions;
        Random random = new Random(1);
        List<String> names = Stream.generate(() -> String.format("%016x%016x", random.nextLong(), random.nextLong()))
                .limit(regions)
                .toList();
        this.before = snapshot(names, servers, 10);
        this.after = snapshot(names, servers, 11);
    }

    private static AssignmentSnapshot snapshot(List<String> names, int servers, int localBytes) {
        List<ServerId> serverIds = IntStream.range(0, servers)
                .mapToObj(server -> new ServerId("host" + server, 16020, 1))
                .toList();
        List<ServedRegion> served = new ArrayList<>();
        for (int number = 0; number < names.size(); number++) {
            served.add(new ServedRegion(
                    new EncodedRegionName(names.get(number)),
                    new TableId("default:usertable"),
                    HealRank.USER,
                    TableHealingMode.ON,
                    serverIds.get(number % servers),
                    Optional.of(new ReportedLocality(localBytes, 100))));
        }
        return AssignmentSnapshot.of(served, List.of());
    }

    /** Bytes of heap that the queue holds for each of them, without what the last snapshot holds. */
    public double bytesPerRegion() {
        HealQueue queue = new HealQueue();
        observe(queue, before, 0);
        if (queue.size() != regions || !queue.hasDue(1_000)) {
            throw new IllegalStateException(queue.size() + " of " + regions + " regions wait.");
        }
        return (double) GraphLayout.parseInstance(queue)
                        .subtract(GraphLayout.parseInstance(before))
                        .totalSize()
                / regions;
    }

    /** Milliseconds of each of some polls after which every region still waits, with another locality. */
    public double[] pollMillis(LongSupplier nanoClock) {
        HealQueue queue = new HealQueue();
        observe(queue, before, 0);
        int[] poll = new int[1];
        return DoubleStream.generate(() -> {
                    poll[0]++;
                    long start = nanoClock.getAsLong();
                    observe(queue, poll[0] % 2 == 0 ? before : after, poll[0]);
                    queue.hasDue(poll[0]);
                    return (nanoClock.getAsLong() - start) / 1e6;
                })
                .limit(WARM_UP + POLLS)
                .skip(WARM_UP)
                .toArray();
    }

    private static void observe(HealQueue queue, AssignmentSnapshot snapshot, long nowMs) {
        queue.observe(snapshot, FullClusterPlanning.QUEUE_CONFIG, region -> FullClusterPlanning.heat(1), nowMs);
    }
}
