package io.hearth.balancer.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What the balancer was told, read once. Immutable; a reload makes another one.
 *
 * @param enabled whether Hearth plans at all
 * @param readHeatCost weight of the evenness of reads
 * @param writeHeatCost weight of the evenness of writes
 * @param storeSizeCost weight of the evenness of store size
 * @param heatHalfLifeMs observed time in which old requests lose half their weight, in milliseconds
 * @param heatMinObservedMs observed time from which heat is known, in milliseconds
 * @param skewTrigger max/mean of reads or writes above which moves are planned
 * @param skewTarget max/mean at which a plan stops
 * @param storeSizeSkewTrigger max/mean of store size above which moves are planned
 * @param minRequestsPerSecond mean requests of a server below which their skew does not matter
 * @param minStoreBytes mean store size of a server below which its skew does not matter, in bytes
 * @param problems every value and key that could not be used
 */
public record BalancerConfig(
        boolean enabled,
        double readHeatCost,
        double writeHeatCost,
        double storeSizeCost,
        long heatHalfLifeMs,
        long heatMinObservedMs,
        double skewTrigger,
        double skewTarget,
        double storeSizeSkewTrigger,
        double minRequestsPerSecond,
        long minStoreBytes,
        List<ConfigProblem> problems) {

    public BalancerConfig {
        problems = List.copyOf(problems);
    }

    /**
     * Reads the balancer's settings and looks for unknown keys everywhere under {@code hearth.} but in the healer's section,
     * which the healer looks after.
     *
     * @param where the name of the configuration in messages
     * @param isKeyOfATable whether a key sets something of one table, which is read elsewhere
     */
    public static BalancerConfig read(String where, RawSettings raw, Predicate<String> isKeyOfATable) {
        SettingsReader reader = new SettingsReader(where, raw);
        double trigger = reader.read(BalancerSettings.SKEW_TRIGGER);
        double target = reader.read(BalancerSettings.SKEW_TARGET);
        List<ConfigProblem> problems = new ArrayList<>();
        if (target >= trigger) {
            problems.add(targetNotBelowTrigger(where, target, trigger));
            trigger = BalancerSettings.SKEW_TRIGGER.defaultValue();
            target = BalancerSettings.SKEW_TARGET.defaultValue();
        }
        boolean enabled = reader.read(BalancerSettings.ENABLED);
        double readHeatCost = reader.read(BalancerSettings.READ_HEAT_COST);
        double writeHeatCost = reader.read(BalancerSettings.WRITE_HEAT_COST);
        double storeSizeCost = reader.read(BalancerSettings.STORE_SIZE_COST);
        long halfLifeMs = reader.read(BalancerSettings.HEAT_HALF_LIFE_MS);
        long minObservedMs = reader.read(BalancerSettings.HEAT_MIN_OBSERVED_MS);
        double storeSizeTrigger = reader.read(BalancerSettings.STORE_SIZE_SKEW_TRIGGER);
        double minRequests = reader.read(BalancerSettings.MIN_REQUESTS_PER_SECOND);
        long minStoreBytes = reader.read(BalancerSettings.MIN_STORE_BYTES);
        problems.addAll(0, reader.problems());
        problems.addAll(unknownKeys(where, raw, isKeyOfATable));
        return new BalancerConfig(
                enabled,
                readHeatCost,
                writeHeatCost,
                storeSizeCost,
                halfLifeMs,
                minObservedMs,
                trigger,
                target,
                storeSizeTrigger,
                minRequests,
                minStoreBytes,
                problems);
    }

    private static ConfigProblem targetNotBelowTrigger(String where, double target, double trigger) {
        return new ConfigProblem(
                where,
                BalancerSettings.SKEW_TARGET.key(),
                BalancerSettings.SKEW_TARGET + " = " + target + " in " + where + " can't be used: it must be below "
                        + BalancerSettings.SKEW_TRIGGER + " = " + trigger + ". "
                        + BalancerSettings.SKEW_TARGET.defaultValue() + " and "
                        + BalancerSettings.SKEW_TRIGGER.defaultValue() + " are used instead.");
    }

    private static List<ConfigProblem> unknownKeys(String where, RawSettings raw, Predicate<String> isKeyOfATable) {
        List<String> known = BalancerSettings.all().stream().map(Setting::key).toList();
        return UnknownKeys.find(
                where,
                raw,
                "hearth.",
                key -> known.contains(key) || key.startsWith("hearth.heal.") || isKeyOfATable.test(key),
                known);
    }
}
