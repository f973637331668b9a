package io.hearth.bench.heal;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.trigger.HealQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;

/**
 * What it costs the healing loop that an operator asks for a heal of everything ({@code bin/hearth heal}) while every region
 * waits already: each leaves its place in the queue for one before all others.
 */
public final class WishForAll {

    private static final int WARM_UP = 10;
    private static final int WISHES = 21;

    private final ClusterLook look;
    private final Set<RegionId> all = new TreeSet<>();

    /** A cluster of so many regions on so many servers, each of them remote. */
    public WishForAll(int regions, int servers) {
        Random random = new Random(1);
        List<ServedRegion> served = new ArrayList<>();
        for (int number = 0; number < regions; number++) {
            ServedRegion region = new ServedRegion(
                    new RegionId(String.format("%016x%016x", random.nextLong(), random.nextLong())),
                    new TableId("default:usertable"),
                    HealRank.USER,
                    HealMode.ON,
                    new ServerId("host" + number % servers, 16020, 1),
                    Optional.of(new ReportedLocality(10, 100)));
            served.add(region);
            all.add(region.region());
        }
        this.look = ClusterLook.of(served, List.of());
    }

    /** Milliseconds of each of some wishes, on a queue of its own each. */
    public double[] millis(LongSupplier nanoClock) {
        return DoubleStream.generate(() -> wish(nanoClock))
                .limit(WARM_UP + WISHES)
                .skip(WARM_UP)
                .toArray();
    }

    private double wish(LongSupplier nanoClock) {
        HealQueue queue = new HealQueue();
        queue.observe(look, PlanFromNothing.RULES, region -> PlanFromNothing.heat(0), 0);
        long start = nanoClock.getAsLong();
        queue.wish(all, PlanFromNothing.RULES, 1_000);
        double millis = (nanoClock.getAsLong() - start) / 1e6;
        if (queue.take(1_000, server -> true).isEmpty()) {
            throw new IllegalStateException("No region is looked at after a wish for " + all.size() + ".");
        }
        return millis;
    }
}
