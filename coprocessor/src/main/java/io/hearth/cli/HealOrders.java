package io.hearth.cli;

import io.hearth.healing.config.ConductConfig;
import io.hearth.healing.config.HealAction;
import io.hearth.healing.config.HealWindows;
import io.hearth.healing.config.HealingConfig;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a person asks of one heal, in the place of what the site says of healers that run by themselves: it begins at once,
 * whether those are switched off, paused or outside of their windows. All else is the site's. Immutable.
 *
 * @param bytesPerSecond empty for the site's; 0 for no limit
 * @param until the locality that is enough, 0 to 1
 * @param dryRun whether plans are only told
 * @param asksNameNode whether regions that are reported at home are looked at too
 */
record HealOrders(Optional<Long> bytesPerSecond, double until, boolean dryRun, boolean asksNameNode)
        implements UnaryOperator<HealingConfig> {

    /** Whether the locality is as asked for, and known to be. */
    boolean isReached(Standing now) {
        return now.locality() >= until && (!asksNameNode || now.regionsToLookAt() == 0);
    }

    @Override
    public HealingConfig apply(HealingConfig site) {
        ConductConfig conduct = site.conduct();
        return new HealingConfig(
                true,
                until,
                site.pollMs(),
                0,
                site.concurrentMoves(),
                site.concurrentMovesPerDataNode(),
                bytesPerSecond.orElse(site.bytesPerSecond()),
                site.moveTimeoutMs(),
                site.verifyTimeoutMs(),
                new ConductConfig(
                        dryRun ? HealAction.ADVISE : HealAction.ACT,
                        false,
                        HealWindows.ALWAYS,
                        conduct.readersRefreshMs(),
                        conduct.bouncesPerHour(),
                        conduct.targetMaxUsedRatio(),
                        conduct.fallback(),
                        conduct.fallbackConcurrent(),
                        conduct.fallbackBytesPerHour()));
    }
}
