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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;

/**
 * What it costs the healing loop that an operator asks for a heal of everything ({@code bin/hearth healer run}) while every region
 * waits already: each leaves its place in the queue for one before all others.
 */
public final class HealAllRequest {

    private static final int WARM_UP = 10;
    private static final int REQUESTS = 21;

    private final AssignmentSnapshot assignmentSnapshot;
    private final Set<EncodedRegionName> all = new TreeSet<>();

    /** A cluster of so many regions on so many servers, each of them remote. */
    public HealAllRequest(int regions, int servers) {
        Random random = new Random(1);
        List<ServedRegion> served = new ArrayList<>();
        for (int number = 0; number < regions; number++) {
            ServedRegion region = new ServedRegion(
                    new EncodedRegionName(String.format("%016x%016x", random.nextLong(), random.nextLong())),
                    new TableId("default:usertable"),
                    HealRank.USER,
                    TableHealingMode.ON,
                    new ServerId("host" + number % servers, 16020, 1),
                    Optional.of(new ReportedLocality(10, 100)));
            served.add(region);
            all.add(region.region());
        }
        this.assignmentSnapshot = AssignmentSnapshot.of(served, List.of());
    }

    /** Milliseconds of each of some requests, on a queue of its own each. */
    public double[] millis(LongSupplier nanoClock) {
        return DoubleStream.generate(() -> healAll(nanoClock))
                .limit(WARM_UP + REQUESTS)
                .skip(WARM_UP)
                .toArray();
    }

    private double healAll(LongSupplier nanoClock) {
        HealQueue queue = new HealQueue();
        queue.observe(assignmentSnapshot, FullClusterPlanning.QUEUE_CONFIG, region -> FullClusterPlanning.heat(0), 0);
        long start = nanoClock.getAsLong();
        queue.healNow(all, FullClusterPlanning.QUEUE_CONFIG, 1_000);
        double millis = (nanoClock.getAsLong() - start) / 1e6;
        if (queue.take(1_000, server -> true).isEmpty()) {
            throw new IllegalStateException("No region is planned for after a request for " + all.size() + ".");
        }
        return millis;
    }
}
