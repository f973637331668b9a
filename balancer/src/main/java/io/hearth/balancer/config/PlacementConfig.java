package io.hearth.balancer.config;

import io.hearth.common.config.SettingsReader;

/**
 * Where regions land that have lost their server. Immutable.
 *
 * @param enabled whether Hearth has a say in it
 * @param maxLoadRatio how many times its fair share of reads or writes a server may come to, at least 1
 * @param maxBurstFactor how many times its even share of the regions placed at once a server may take, at least 1
 * @param viewMaxAgeMs age of the last look at the loads above which it is not used, in milliseconds
 */
public record PlacementConfig(boolean enabled, double maxLoadRatio, double maxBurstFactor, long viewMaxAgeMs) {

    /** @param isBalancerOn whether Hearth balances at all: it has no say in where regions land either where it does not */
    static PlacementConfig read(SettingsReader reader, boolean isBalancerOn) {
        return new PlacementConfig(
                reader.read(PlacementSettings.ENABLED) && isBalancerOn,
                reader.read(PlacementSettings.MAX_LOAD_RATIO),
                reader.read(PlacementSettings.MAX_BURST_FACTOR),
                reader.read(PlacementSettings.VIEW_MAX_AGE_MS));
    }
}
