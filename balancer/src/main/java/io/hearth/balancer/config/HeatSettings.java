// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import io.hearth.common.config.Setting;
import java.util.List;

/** How heat is learnt and kept. */
public final class HeatSettings {

    public static final Setting<Long> HALF_LIFE_MS = Setting.millis(
            "hearth.balancer.heat.half.life.ms",
            300_000,
            1_000,
            86_400_000,
            "Observed time in which old reads and writes lose half their weight. With the noise filter plans use"
                    + " means of 24 times that.");

    public static final Setting<Long> RECENT_HALF_LIFE_MS = Setting.millis(
            "hearth.balancer.heat.recent.half.life.ms",
            60_000,
            100,
            86_400_000,
            "The same for the recent rates, by which shifts of load are found. Below hearth.balancer.heat.half.life.ms; if"
                    + " not set, at most a fifth of it.");

    public static final Setting<Long> MIN_OBSERVED_MS = Setting.millis(
            "hearth.balancer.heat.min.observed.ms",
            60_000,
            1_000,
            86_400_000,
            "Observed time before which a region's rates are unknown, and it is not moved.");

    public static final Setting<Double> REMOTE_READ_PENALTY = Setting.decimal(
            "hearth.balancer.heat.remote.read.penalty",
            0.0,
            0,
            100,
            "",
            "How much more a remote read costs. 0: as much as a local one, 1: double.");

    public static final Setting<Long> STORE_INTERVAL_MS = Setting.millis(
            "hearth.balancer.heat.store.interval.ms",
            300_000,
            0,
            86_400_000,
            "How often the state for the next HMaster is written. 0: never.");

    public static final Setting<Double> SUSPECT_SERVED_RATIO = Setting.decimal(
            "hearth.balancer.suspect.served.ratio",
            0.65,
            0,
            0.9,
            "",
            "A server is suspect while its regions serve less than this part of before, and the same tables"
                    + " elsewhere do not. 0: no server is.");

    public static final Setting<Boolean> NOISE_FILTER = Setting.bool(
            "hearth.balancer.noise.filter",
            true,
            "Whether plans use means of hours and wider triggers while the last minutes may be a swing. Moved"
                    + " regions rest for hearth.balancer.rest.ms.");

    public static final Setting<Long> ACTIVITY_MIN_REQUESTS = Setting.wholeNumber(
            "hearth.balancer.activity.min.requests",
            0,
            0,
            1_000_000_000,
            "requests",
            "A region with no more requests than this in hearth.balancer.activity.window.minutes is not moved for heat."
                    + " 0: every region may be.");

    public static final Setting<Integer> ACTIVITY_WINDOW_MINUTES = Setting.integer(
            "hearth.balancer.activity.window.minutes",
            10,
            1,
            120,
            "minutes",
            "The minutes of hearth.balancer.activity.min.requests.");

    public static final Setting<Boolean> ACTIVITY_EXACT = Setting.bool(
            "hearth.balancer.activity.exact",
            true,
            "Whether those requests are counted by the minute. false: estimated from the rates, which"
                    + " needs no memory.");

    private HeatSettings() {}

    /** Every setting, in the order in which it is documented. */
    public static List<Setting<?>> all() {
        return List.of(
                HALF_LIFE_MS,
                RECENT_HALF_LIFE_MS,
                MIN_OBSERVED_MS,
                REMOTE_READ_PENALTY,
                STORE_INTERVAL_MS,
                SUSPECT_SERVED_RATIO,
                NOISE_FILTER,
                ACTIVITY_MIN_REQUESTS,
                ACTIVITY_WINDOW_MINUTES,
                ACTIVITY_EXACT);
    }
}
