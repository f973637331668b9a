// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.healer.config.HealPolicySettings.HealPolicyConfig;
import io.hearth.healer.config.HealPolicySettings.HealingMode;
import io.hearth.healer.config.HealWindows;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * What a person asks of one heal, in the place of what the site says of healers that run by themselves: it begins at once,
 * whether those are switched off, paused or outside of their windows. All else is the site's. Immutable.
 *
 * @param bytesPerSecond empty for the site's; 0 for no limit
 * @param targetLocality the locality that is enough, 0 to 1
 * @param dryRun whether plans are only told
 * @param verifyAll whether regions that are reported local are listed too
 * @param raiseTo bytes per second to which all DataNodes are raised until it is over; empty for none
 */
record HealOptions(
        Optional<Long> bytesPerSecond, double targetLocality, boolean dryRun, boolean verifyAll, OptionalLong raiseTo)
        implements UnaryOperator<HealingConfig> {

    /** Whether the locality is as asked for, and known to be. */
    boolean isReached(HealStats now) {
        return now.locality() >= targetLocality && (!verifyAll || now.unlistedRegions() == 0);
    }

    @Override
    public HealingConfig apply(HealingConfig site) {
        HealPolicyConfig policy = site.policy();
        return new HealingConfig(
                true,
                targetLocality,
                site.pollMs(),
                0,
                bytesPerSecond.map(site.limits()::withClusterBytesPerSecond).orElse(site.limits()),
                site.moveTimeoutMs(),
                site.verifyTimeoutMs(),
                new HealPolicyConfig(
                        dryRun ? HealingMode.ADVISE : HealingMode.ACT,
                        false,
                        HealWindows.ALWAYS,
                        policy.readerLocationsMaxAgeMs(),
                        policy.maxRevertedMovesPerHour(),
                        policy.targetMaxUsedRatio(),
                        policy.fallback(),
                        policy.fallbackConcurrent(),
                        policy.fallbackBytesPerHour()));
    }
}
