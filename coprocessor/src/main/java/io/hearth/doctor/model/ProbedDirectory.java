// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/**
 * A folder of HBase with a policy of its own, or with files of one replica. Immutable.
 *
 * @param erasureCoding the name of its erasure coding policy; empty for plain replication
 * @param storagePolicy the name of its storage policy; empty for the default
 * @param singleReplicaFiles how many were found; 0 where all have more, or it was not looked at
 */
public record ProbedDirectory(String path, String erasureCoding, String storagePolicy, int singleReplicaFiles) {}
