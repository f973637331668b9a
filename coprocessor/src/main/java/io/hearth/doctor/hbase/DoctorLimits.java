package io.hearth.doctor.hbase;

import java.time.Duration;

/**
 * What an examination may take of the process that it runs in. Immutable.
 *
 * @param atATime how many processes are asked at a time
 * @param time until it ends, with what is known by then
 */
public record DoctorLimits(int atATime, Duration time) {

    /** In the HMaster, which has other things to do. */
    public static final DoctorLimits IN_MASTER = new DoctorLimits(2, Duration.ofMinutes(5));

    /** In a process of its own, before which somebody waits. */
    public static final DoctorLimits BY_HAND = new DoctorLimits(16, Duration.ofMinutes(5));
}
