// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.config.HeatConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What another master knew of regions that have not been reported here yet. It weighs less the older it is, and after
 * {@value #MOST_HALF_LIVES} half-lives nothing. Not thread-safe.
 */
final class RestoredHeat {

    /** Weighs 1/64 after this many: less than a sample of ten seconds at the default half-life. */
    static final int MOST_HALF_LIVES = 6;

    private Map<RegionNameHash, InheritedRates> pastByRegion = new HashMap<>();
    private long untilMs;

    static boolean isYoungEnough(HeatSnapshot snapshot, HeatConfig config, long nowMs) {
        return nowMs - snapshot.takenAtMs() < MOST_HALF_LIVES * config.halfLifeMs();
    }

    /** The same after so much time in which nobody looked: its recent rates have gone back to the long ones by as much. */
    static InheritedRates aged(InheritedRates inherited, RateDecays decays, long ageMs) {
        return new InheritedRates(
                decays.smoothed().discounted(inherited.observedMs(), ageMs),
                inherited.smoothed(),
                inherited.smoothed().towards(inherited.recent(), decays.recent().kept(ageMs)),
                inherited.longTerm().aged(decays, ageMs));
    }

    boolean contains(RegionNameHash key) {
        return pastByRegion.containsKey(key);
    }

    void forEach(BiConsumer<RegionNameHash, InheritedRates> action) {
        pastByRegion.forEach(action);
    }

    void put(RegionNameHash key, InheritedRates inherited) {
        pastByRegion.put(key, inherited);
    }

    Optional<InheritedRates> take(RegionNameHash key) {
        return Optional.ofNullable(pastByRegion.remove(key));
    }

    void keepUntil(long ms) {
        untilMs = ms;
    }

    void forget(long nowMs) {
        if (nowMs > untilMs) {
            pastByRegion = new HashMap<>();
        }
    }
}
