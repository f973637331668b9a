package io.hearth.doctor;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Settings;

/** A RegionServer with one thing otherwise. */
final class Servers {

    private Servers() {}

    static FoundRegionServer settings(FoundRegionServer server, Answer<Settings> settings) {
        return of(
                server,
                server.host(),
                server.rack(),
                settings,
                server.regions(),
                server.storeFiles(),
                server.counters());
    }

    static FoundRegionServer host(FoundRegionServer server, String host) {
        return of(
                server,
                host,
                server.rack(),
                server.settings(),
                server.regions(),
                server.storeFiles(),
                server.counters());
    }

    static FoundRegionServer rack(FoundRegionServer server, Answer<String> rack) {
        return of(
                server,
                server.host(),
                rack,
                server.settings(),
                server.regions(),
                server.storeFiles(),
                server.counters());
    }

    static FoundRegionServer regions(FoundRegionServer server, int regions, int storeFiles) {
        return of(server, server.host(), server.rack(), server.settings(), regions, storeFiles, server.counters());
    }

    static FoundRegionServer counters(FoundRegionServer server, Answer<ServerCounters> counters) {
        return of(
                server,
                server.host(),
                server.rack(),
                server.settings(),
                server.regions(),
                server.storeFiles(),
                counters);
    }

    static FoundRegionServer mostStoreFiles(FoundRegionServer server, int most, long memstoreBytes) {
        return new FoundRegionServer(
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
                server.lately(),
                server.clockAheadMs());
    }

    private static FoundRegionServer of(
            FoundRegionServer server,
            String host,
            Answer<String> rack,
            Answer<Settings> settings,
            int regions,
            int storeFiles,
            Answer<ServerCounters> counters) {
        return new FoundRegionServer(
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
                server.lately(),
                server.clockAheadMs());
    }

    /** With what it read from its own host of late. */
    static FoundRegionServer lately(FoundRegionServer server, Answer<LocalReads> lately) {
        return watched(server, lately, server.clockAheadMs());
    }

    static FoundRegionServer clock(FoundRegionServer server, long aheadMs) {
        return watched(server, server.lately(), Answer.known(aheadMs));
    }

    private static FoundRegionServer watched(
            FoundRegionServer server, Answer<LocalReads> lately, Answer<Long> clockAheadMs) {
        return new FoundRegionServer(
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
                lately,
                clockAheadMs);
    }
}
