package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.balancer.locality.HealForecast;
import io.hearth.balancer.locality.HomeDoubt;
import io.hearth.balancer.locality.LocalityRefresh;
import io.hearth.balancer.steering.HandMoves;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Where the balancer and the healer of one HMaster find one another: HBase makes the two apart and hands neither to the
 * other.
 *
 * <p>The key is the identity of {@code MasterServices.getConfiguration()}, the one object both can reach (a coprocessor
 * environment's configuration is a copy and never matches), so that several masters can live in one JVM. Nothing is kept
 * alive: whoever offers holds on to what it offers. Thread-safe.
 */
public final class MasterLinks {

    // Configuration inherits equals from Object, so that a WeakHashMap compares it by identity.
    private static final Map<Configuration, WeakReference<LocalityRefresh>> LOCALITY_REFRESH_BY_MASTER =
            Collections.synchronizedMap(new WeakHashMap<>());
    private static final Map<Configuration, WeakReference<HandMoves>> HAND_MOVES_BY_MASTER =
            Collections.synchronizedMap(new WeakHashMap<>());
    private static final Map<Configuration, WeakReference<HealForecast>> HEAL_FORECAST_BY_MASTER =
            Collections.synchronizedMap(new WeakHashMap<>());

    private static final Map<Configuration, WeakReference<HomeDoubt>> HOME_DOUBT_BY_MASTER =
            Collections.synchronizedMap(new WeakHashMap<>());

    private static final Map<Configuration, WeakReference<RegionHeats>> REGION_HEATS_BY_MASTER =
            Collections.synchronizedMap(new WeakHashMap<>());

    private static final Map<Configuration, WeakReference<BalanceEngine>> ENGINE_BY_MASTER =
            Collections.synchronizedMap(new WeakHashMap<>());

    private MasterLinks() {}

    /** Says who plans in this master, for those who show it; the last one said wins. */
    public static void offerEngine(Configuration masterConfiguration, BalanceEngine engine) {
        ENGINE_BY_MASTER.put(masterConfiguration, new WeakReference<>(engine));
    }

    /** Who plans in this master; empty where its balancer is not Hearth's. */
    public static Optional<BalanceEngine> engine(Configuration masterConfiguration) {
        return Optional.ofNullable(ENGINE_BY_MASTER.get(masterConfiguration)).map(WeakReference::get);
    }

    /** Says where the heat of this master's regions is followed; the last one said wins. */
    public static void offerRegionHeats(Configuration masterConfiguration, RegionHeats heats) {
        REGION_HEATS_BY_MASTER.put(masterConfiguration, new WeakReference<>(heats));
    }

    /** Who follows the heat of this master's regions; empty where its balancer is not Hearth's. */
    public static Optional<RegionHeats> regionHeats(Configuration masterConfiguration) {
        return Optional.ofNullable(REGION_HEATS_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get);
    }

    /** Says that this master's balancer takes word of moved blocks here; the last one said wins. */
    public static void offerLocalityRefresh(Configuration masterConfiguration, LocalityRefresh refresh) {
        LOCALITY_REFRESH_BY_MASTER.put(masterConfiguration, new WeakReference<>(refresh));
    }

    /** Who takes word of moved blocks in this master; empty where its balancer is not Hearth's. */
    public static Optional<LocalityRefresh> localityRefresh(Configuration masterConfiguration) {
        return Optional.ofNullable(LOCALITY_REFRESH_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get);
    }

    /** Says which tables this master's healer brings home; the last one said wins. */
    public static void offerHealForecast(Configuration masterConfiguration, HealForecast forecast) {
        HEAL_FORECAST_BY_MASTER.put(masterConfiguration, new WeakReference<>(forecast));
    }

    /** What becomes of remote bytes in this master: nothing is healed where it has no healer. */
    public static HealForecast healForecast(Configuration masterConfiguration) {
        return Optional.ofNullable(HEAL_FORECAST_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get)
                .orElse(HealForecast.NEVER);
    }

    /** Says that this master's healer takes doubts here about who is at home; the last one said wins. */
    public static void offerHomeDoubt(Configuration masterConfiguration, HomeDoubt doubt) {
        HOME_DOUBT_BY_MASTER.put(masterConfiguration, new WeakReference<>(doubt));
    }

    /** Who takes doubts in this master about who is at home; empty where it has no healer. */
    public static Optional<HomeDoubt> homeDoubt(Configuration masterConfiguration) {
        return Optional.ofNullable(HOME_DOUBT_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get);
    }

    /** Says that this master's balancer takes word of moves by hand here; the last one said wins. */
    public static void offerHandMoves(Configuration masterConfiguration, HandMoves handMoves) {
        HAND_MOVES_BY_MASTER.put(masterConfiguration, new WeakReference<>(handMoves));
    }

    /** Who takes word of moves by hand in this master; empty where its balancer is not Hearth's. */
    public static Optional<HandMoves> handMoves(Configuration masterConfiguration) {
        return Optional.ofNullable(HAND_MOVES_BY_MASTER.get(masterConfiguration))
                .map(WeakReference::get);
    }
}
