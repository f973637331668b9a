package io.hearth.doctor.model;

/**
 * The active HMaster. Immutable.
 *
 * @param java the version of its Java, as {@code 17}
 */
public record ProbedMaster(
        String host, String version, ProbeResult<String> java, ProbeResult<ProcessConfig> settings) {}
