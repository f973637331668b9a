// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/**
 * A RegionServer that serves. Immutable.
 *
 * @param rack as the HMaster has it
 * @param heapBytes the most that its heap can grow to
 * @param stores of all its regions: regions times families
 * @param mostStoreFilesOfAStore of the region with the most files for each of its stores, rounded up
 * @param counters what it has counted since it started
 * @param recentLocalReads what it read from its own host while the doctor watched
 * @param clockSkewMs how far its clock is ahead of the HMaster's, to a second; below 0 behind
 */
public record ProbedRegionServer(
        String host,
        ProbeResult<String> version,
        ProbeResult<String> rack,
        ProbeResult<ProcessConfig> settings,
        long heapBytes,
        int regions,
        int stores,
        int storeFiles,
        int mostStoreFilesOfAStore,
        long memstoreBytes,
        ProbeResult<ServerCounters> counters,
        ProbeResult<LocalReads> recentLocalReads,
        ProbeResult<Long> clockSkewMs) {}
