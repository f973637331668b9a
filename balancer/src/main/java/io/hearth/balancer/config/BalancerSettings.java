// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;
import java.util.stream.Stream;

/** Every key of the balancer, with its default, bounds and meaning; each group has a class of its own. */
public final class BalancerSettings {

    public static final Setting<Boolean> ENABLED =
            Setting.bool("hearth.balancer.enabled", true, "false: as hearth.balancer.mode = off.");

    private BalancerSettings() {}

    /** Every setting of every group, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return Stream.<List<Setting<?>>>of(
                        List.of(ENABLED),
                        GoalSettings.all(),
                        HeatSettings.all(),
                        MoveTrackerSettings.all(),
                        PlacementSettings.all(),
                        LocalitySettings.all(),
                        PlannerSettings.all(),
                        MasterSettings.all(),
                        SloSettings.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Where regions land that have lost their server. */
    public static final class PlacementSettings {

        public static final Setting<Boolean> ENABLED = Setting.bool(
                "hearth.balancer.placement.enabled",
                true,
                "Whether regions that lost their server go where most of their blocks are. false: as with the"
                        + " stock balancer.");

        public static final Setting<Double> MAX_LOAD_RATIO = Setting.decimal(
                "hearth.balancer.placement.max.load.ratio",
                1.20,
                1.0,
                100,
                "",
                "How many times its fair share of reads or writes a server may reach by such regions.");

        public static final Setting<Double> MAX_BURST_FACTOR = Setting.decimal(
                "hearth.balancer.placement.max.burst.factor",
                2.0,
                1.0,
                1_000,
                "",
                "How many times its even part of regions placed at once a server may take.");

        public static final Setting<Long> VIEW_MAX_AGE_MS = Setting.millis(
                "hearth.balancer.placement.view.max.age.ms",
                600_000,
                1_000,
                86_400_000,
                "Age of the servers' loads above which regions land as with the stock balancer.");

        private PlacementSettings() {}

        /** Every setting, in the order in which it is documented. */
        public static List<Setting<?>> all() {
            return List.of(ENABLED, MAX_LOAD_RATIO, MAX_BURST_FACTOR, VIEW_MAX_AGE_MS);
        }
    }

    /** How the NameNode is asked where the blocks of regions are. */
    public static final class LocalitySettings {

        public static final Setting<Double> REGIONS_PER_SECOND = Setting.decimal(
                "hearth.balancer.locality.regions.per.second",
                100.0,
                0.1,
                100_000,
                "regions per second",
                "Regions per second that the NameNode is asked about in the background. Each costs one listing"
                        + " per column family, and one call per reference or link.");

        public static final Setting<Long> MAX_AGE_MS = Setting.millis(
                "hearth.balancer.locality.max.age.ms",
                14_400_000,
                60_000,
                604_800_000,
                "Age at which an answer is asked for again.");

        private LocalitySettings() {}

        /** Every setting, in the order in which it is documented. */
        public static List<Setting<?>> all() {
            return List.of(REGIONS_PER_SECOND, MAX_AGE_MS);
        }
    }

    /** How long a plan may be looked for, and how many moves it may have. */
    public static final class PlannerSettings {

        public static final Setting<Long> DEADLINE_MS = Setting.millis(
                "hearth.balancer.plan.deadline.ms",
                10_000,
                100,
                600_000,
                "How long a run may search under the balancer's lock; the next run continues.");

        public static final Setting<Integer> MAX_MOVES_PER_SECOND = Setting.integer(
                "hearth.balancer.max.moves.per.second",
                50,
                1,
                100_000,
                "moves per second",
                "Moves that the HMaster can carry out. A run plans no more than fit into"
                        + " hbase.balancer.max.balancing (15,000 by default).");

        private PlannerSettings() {}

        /** Every setting, in the order in which it is documented. */
        public static List<Setting<?>> all() {
            return List.of(DEADLINE_MS, MAX_MOVES_PER_SECOND);
        }
    }

    /** What all of Hearth in an HMaster may take of it: balancer, healer, page and doctor. */
    public static final class MasterSettings {

        public static final Setting<Double> CPU_SHARE = Setting.decimal(
                "hearth.master.cpu.share",
                0.05,
                0.001,
                1_000,
                "cores",
                "Processor time that Hearth may take in the HMaster, mean of ten minutes. Above it the healer's polls, page,"
                        + " doctor and look-ups of blocks come up to 16 times less often, saving up to 4 times.");

        private MasterSettings() {}

        /** Every setting, in the order in which it is documented. */
        public static List<Setting<?>> all() {
            return List.of(CPU_SHARE);
        }
    }
}
