// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import java.time.Duration;

/**
 * What an examination may take of the process that it runs in. Immutable.
 *
 * @param maxConcurrent how many processes are asked at a time
 * @param time until it ends, with what is known by then
 * @param watch what is counted is looked at twice, so far apart at least: RegionServers count anew every 5 s
 */
public record DoctorLimits(int maxConcurrent, Duration time, Duration watch) {

    private static final Duration WATCH = Duration.ofSeconds(10);

    /** In the HMaster, which has other things to do. */
    public static final DoctorLimits IN_MASTER = new DoctorLimits(2, Duration.ofMinutes(5), WATCH);

    /** In a process of its own, before which somebody waits. */
    public static final DoctorLimits COMMAND_LINE = new DoctorLimits(16, Duration.ofMinutes(5), WATCH);
}
