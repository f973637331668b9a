// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.SettingsReader;

/**
 * What a plan weighs besides heat, as {@link MoveSettings} describes it. Immutable.
 *
 * @param regionCountCost weight of even numbers of regions
 * @param countTrigger imbalance of region counts above which moves are planned for them alone
 * @param countTarget imbalance of region counts that is good enough
 * @param tableSkewCost weight of the spread of tables
 * @param tableSlop share of the mean by which a table may be above it
 * @param moveCost cost of a move for its own sake
 * @param bytesCost cost of healing as many bytes as a server stores
 * @param coldCacheCost cost of moving all reads of a server
 * @param minGain what a move must gain after its costs
 * @param minHotspotReduction by how much of a fair share a plan has to cool one of the servers above the trigger
 * @param minMarginalGainRatio share of the average gain below which the last moves are dropped
 */
public record MoveConfig(
        double regionCountCost,
        double countTrigger,
        double countTarget,
        double tableSkewCost,
        double tableSlop,
        double moveCost,
        double bytesCost,
        double coldCacheCost,
        double minGain,
        double minHotspotReduction,
        double minMarginalGainRatio) {

    static MoveConfig read(SettingsReader reader) {
        return new MoveConfig(
                reader.read(MoveSettings.REGION_COUNT_COST),
                reader.read(MoveSettings.COUNT_TRIGGER),
                reader.read(MoveSettings.COUNT_TARGET),
                reader.read(MoveSettings.TABLE_SKEW_COST),
                reader.read(MoveSettings.TABLE_SLOP),
                reader.read(MoveSettings.MOVE_COST),
                reader.read(MoveSettings.BYTES_COST),
                reader.read(MoveSettings.COLD_CACHE_COST),
                reader.read(MoveSettings.MIN_GAIN),
                reader.read(MoveSettings.MIN_HOTSPOT_REDUCTION),
                reader.read(MoveSettings.MIN_MARGINAL_GAIN_RATIO));
    }
}
