package io.hearth.balancer.config;

import java.util.List;

/** How long a plan may be looked for, and how many moves it may have. */
public final class SearchSettings {

    public static final Setting<Long> DEADLINE_MS = Setting.millis(
            "hearth.balancer.plan.deadline.ms",
            10_000,
            100,
            600_000,
            "How long Hearth may look for moves in one run of the balancer, which holds the balancer's lock. What was found"
                    + " until then is the plan; the rest is left to the next run.");

    public static final Setting<Integer> MAX_MOVES_PER_SECOND = Setting.integer(
            "hearth.balancer.max.moves.per.second",
            50,
            1,
            100_000,
            "moves per second",
            "How many moves the master can carry out. A run plans no more than fit into hbase.balancer.max.balancing (by"
                    + " default hbase.balancer.period, 5 minutes: 15,000 moves), after which the master would drop them; the"
                    + " rest is left to the next run.");

    private SearchSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(DEADLINE_MS, MAX_MOVES_PER_SECOND);
    }
}
