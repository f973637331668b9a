// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.List;

/**
 * An HMaster. Immutable.
 *
 * @param java the version of its Java, as {@code 17}
 * @param loadedCoprocessors the classes that it has loaded, each by the last part of its name, which is all that HBase tells
 */
public record ProbedMaster(
        String host,
        String version,
        ProbeResult<String> java,
        ProbeResult<ProcessConfig> settings,
        ProbeResult<List<String>> loadedCoprocessors) {

    /** A backup HMaster, which loads coprocessors only when it becomes active. */
    public ProbedMaster(String host, String version, ProbeResult<String> java, ProbeResult<ProcessConfig> settings) {
        this(host, version, java, settings, ProbeResult.unknown("it is not active"));
    }
}
