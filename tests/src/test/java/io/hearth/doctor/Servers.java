// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProcessConfig;

/** A RegionServer with one thing otherwise. */
final class Servers {

    private Servers() {}

    static ProbedRegionServer settings(ProbedRegionServer server, ProbeResult<ProcessConfig> settings) {
        return of(
                server,
                server.host(),
                server.rack(),
                settings,
                server.regions(),
                server.storeFiles(),
                server.counters());
    }

    static ProbedRegionServer host(ProbedRegionServer server, String host) {
        return of(
                server,
                host,
                server.rack(),
                server.settings(),
                server.regions(),
                server.storeFiles(),
                server.counters());
    }

    static ProbedRegionServer rack(ProbedRegionServer server, ProbeResult<String> rack) {
        return of(
                server,
                server.host(),
                rack,
                server.settings(),
                server.regions(),
                server.storeFiles(),
                server.counters());
    }

    static ProbedRegionServer regions(ProbedRegionServer server, int regions, int storeFiles) {
        return of(server, server.host(), server.rack(), server.settings(), regions, storeFiles, server.counters());
    }

    static ProbedRegionServer counters(ProbedRegionServer server, ProbeResult<ServerCounters> counters) {
        return of(
                server,
                server.host(),
                server.rack(),
                server.settings(),
                server.regions(),
                server.storeFiles(),
                counters);
    }

    static ProbedRegionServer mostStoreFiles(ProbedRegionServer server, int most, long memstoreBytes) {
        return new ProbedRegionServer(
                server.host(),
                server.version(),
                server.rack(),
                server.settings(),
                server.heapBytes(),
                server.regions(),
                server.stores(),
                server.storeFiles(),
                most,
                memstoreBytes,
                server.counters(),
                server.recentLocalReads(),
                server.clockSkewMs());
    }

    private static ProbedRegionServer of(
            ProbedRegionServer server,
            String host,
            ProbeResult<String> rack,
            ProbeResult<ProcessConfig> settings,
            int regions,
            int storeFiles,
            ProbeResult<ServerCounters> counters) {
        return new ProbedRegionServer(
                host,
                server.version(),
                rack,
                settings,
                server.heapBytes(),
                regions,
                regions,
                storeFiles,
                server.mostStoreFilesOfAStore(),
                server.memstoreBytes(),
                counters,
                server.recentLocalReads(),
                server.clockSkewMs());
    }

    /** With what it read from its own host of late. */
    static ProbedRegionServer recentLocalReads(ProbedRegionServer server, ProbeResult<LocalReads> recentLocalReads) {
        return watched(server, recentLocalReads, server.clockSkewMs());
    }

    static ProbedRegionServer clock(ProbedRegionServer server, long aheadMs) {
        return watched(server, server.recentLocalReads(), ProbeResult.known(aheadMs));
    }

    private static ProbedRegionServer watched(
            ProbedRegionServer server, ProbeResult<LocalReads> recentLocalReads, ProbeResult<Long> clockSkewMs) {
        return new ProbedRegionServer(
                server.host(),
                server.version(),
                server.rack(),
                server.settings(),
                server.heapBytes(),
                server.regions(),
                server.stores(),
                server.storeFiles(),
                server.mostStoreFilesOfAStore(),
                server.memstoreBytes(),
                server.counters(),
                recentLocalReads,
                clockSkewMs);
    }
}
