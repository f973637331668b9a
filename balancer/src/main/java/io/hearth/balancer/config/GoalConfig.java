package io.hearth.balancer.config;

import java.util.Optional;

/**
 * What a plan has to reach. Immutable.
 *
 * @param readHeatCost weight of the evenness of reads
 * @param writeHeatCost weight of the evenness of writes
 * @param storeSizeCost weight of the evenness of store size
 * @param skewTrigger max/mean of reads or writes above which moves are planned
 * @param skewTarget max/mean at which a plan stops, below the trigger
 * @param storeSizeSkewTrigger max/mean of store size above which moves are planned
 * @param minRequestsPerSecond mean requests of a server below which their skew does not matter
 * @param minStoreBytes mean store size of a server below which its skew does not matter, in bytes
 */
public record GoalConfig(
        double readHeatCost,
        double writeHeatCost,
        double storeSizeCost,
        double skewTrigger,
        double skewTarget,
        double storeSizeSkewTrigger,
        double minRequestsPerSecond,
        long minStoreBytes) {

    static GoalConfig read(SettingsReader reader) {
        double trigger = reader.read(GoalSettings.SKEW_TRIGGER);
        double target = reader.read(GoalSettings.SKEW_TARGET);
        Optional<String> problem = targetNotBelowTrigger(target, trigger);
        problem.ifPresent(message -> reader.problem(GoalSettings.SKEW_TARGET, target, message));
        return new GoalConfig(
                reader.read(GoalSettings.READ_HEAT_COST),
                reader.read(GoalSettings.WRITE_HEAT_COST),
                reader.read(GoalSettings.STORE_SIZE_COST),
                problem.isPresent() ? GoalSettings.SKEW_TRIGGER.defaultValue() : trigger,
                problem.isPresent() ? GoalSettings.SKEW_TARGET.defaultValue() : target,
                reader.read(GoalSettings.STORE_SIZE_SKEW_TRIGGER),
                reader.read(GoalSettings.MIN_REQUESTS_PER_SECOND),
                reader.read(GoalSettings.MIN_STORE_BYTES));
    }

    private static Optional<String> targetNotBelowTrigger(double target, double trigger) {
        return target < trigger
                ? Optional.empty()
                : Optional.of("it must be below " + GoalSettings.SKEW_TRIGGER + " = " + trigger + ". "
                        + GoalSettings.SKEW_TARGET.defaultValue() + " and " + GoalSettings.SKEW_TRIGGER.defaultValue()
                        + " are used instead.");
    }
}
