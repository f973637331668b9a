// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/**
 * What a RegionServer read from the replicas of its own host while the doctor watched. Immutable.
 *
 * @param shortCircuitBytes those of the bytes that were read without the DataNode
 */
public record LocalReads(long bytes, long shortCircuitBytes, long overMs) {}
