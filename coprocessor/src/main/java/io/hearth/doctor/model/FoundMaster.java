package io.hearth.doctor.model;

/**
 * The active HMaster. Immutable.
 *
 * @param java the version of its Java, as {@code 17}
 */
public record FoundMaster(String host, String version, Answer<String> java, Answer<Settings> settings) {}
