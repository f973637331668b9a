// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import io.hearth.common.config.SettingsReader;

/**
 * What a plan has to reach. Immutable.
 *
 * @param readHeatCost weight of the evenness of reads
 * @param writeHeatCost weight of the evenness of writes
 * @param storeSizeCost weight of the evenness of store size
 * @param memstoreHeatCost weight of the evenness of memstore bytes
 * @param skewTrigger max/mean of reads or writes above which moves are planned
 * @param skewTarget max/mean at which a plan stops, below the trigger
 * @param storeSizeSkewTrigger max/mean of store size above which moves are planned
 * @param storeSizeSkewTarget max/mean of store size at which a plan stops, below its trigger
 * @param minRequestsPerSecond mean requests of a server below which their skew does not matter
 * @param minStoreBytes mean store size of a server below which its skew does not matter, in bytes
 * @param minMemstoreBytes mean memstore bytes of a server below which their skew does not matter
 * @param moves what a plan weighs besides heat
 */
public record GoalConfig(
        double readHeatCost,
        double writeHeatCost,
        double storeSizeCost,
        double memstoreHeatCost,
        double skewTrigger,
        double skewTarget,
        double storeSizeSkewTrigger,
        double storeSizeSkewTarget,
        double minRequestsPerSecond,
        long minStoreBytes,
        long minMemstoreBytes,
        MoveConfig moves) {

    static GoalConfig read(SettingsReader reader) {
        Pair skew = Pair.read(reader, GoalSettings.SKEW_TARGET, GoalSettings.SKEW_TRIGGER);
        Pair storeSize = Pair.read(reader, GoalSettings.STORE_SIZE_SKEW_TARGET, GoalSettings.STORE_SIZE_SKEW_TRIGGER);
        return new GoalConfig(
                reader.read(GoalSettings.READ_HEAT_COST),
                reader.read(GoalSettings.WRITE_HEAT_COST),
                reader.read(GoalSettings.STORE_SIZE_COST),
                reader.read(GoalSettings.MEMSTORE_HEAT_COST),
                skew.trigger,
                skew.target,
                storeSize.trigger,
                storeSize.target,
                reader.read(GoalSettings.MIN_REQUESTS_PER_SECOND),
                reader.read(GoalSettings.MIN_STORE_BYTES),
                reader.read(GoalSettings.MIN_MEMSTORE_BYTES),
                MoveConfig.read(reader));
    }

    /** A target and the trigger that it must be below. */
    private record Pair(double target, double trigger) {

        static Pair read(SettingsReader reader, Setting<Double> targetKey, Setting<Double> triggerKey) {
            Pair pair = new Pair(reader.read(targetKey), reader.read(triggerKey));
            if (pair.target < pair.trigger) {
                return pair;
            }
            Pair otherwise = new Pair(targetKey.defaultValue(), triggerKey.defaultValue());
            reader.problem(
                    targetKey,
                    pair.target,
                    "it must be below " + triggerKey + " = " + pair.trigger + ". " + otherwise.target + " and "
                            + otherwise.trigger + " are used instead.");
            return otherwise;
        }
    }
}
