// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/**
 * A DataNode that the NameNode counts as live. Immutable.
 *
 * @param host the name that it gives itself to the NameNode
 * @param rack as the NameNode has it
 * @param balanceBytesPerSecond what block moves may take of it just now
 * @param balanceMoves how many block moves it takes part in at a time just now
 * @param somaxconn the most that its kernel lets wait for a listening socket
 */
public record ProbedDataNode(
        String host,
        String rack,
        ProbeResult<String> version,
        ProbeResult<ProcessConfig> settings,
        ProbeResult<Long> balanceBytesPerSecond,
        ProbeResult<Long> balanceMoves,
        ProbeResult<Integer> somaxconn) {}
