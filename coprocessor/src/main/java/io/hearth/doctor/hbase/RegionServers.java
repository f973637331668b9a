// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.LocalReads;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ServerCounters;
import io.hearth.doctor.model.ProcessConfig;
import java.util.Set;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;

/** What a RegionServer is known by: its report to the HMaster, and its own page of metrics. Stateless. */
final class RegionServers {

    private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";

    private static final String LOCAL = "localBytesRead";
    private static final String SHORT_CIRCUIT = "shortCircuitBytesRead";
    private static final String FLUSHES = "FlushMemstoreSize_num_ops";
    private static final String FLUSH_BYTES = "FlushMemstoreSize_mean";
    private static final String QUEUE = "compactionQueueLength";
    private static final String HEDGED = "hedgedReads";
    private static final String HEDGED_WINS = "hedgedReadWins";
    private static final Set<String> COUNTERS =
            Set.of(LOCAL, SHORT_CIRCUIT, FLUSHES, FLUSH_BYTES, QUEUE, HEDGED, HEDGED_WINS);

    private RegionServers() {}

    /** From its report, with what only others know of it. */
    static ProbedRegionServer found(
            ServerMetrics report,
            ProbeResult<String> rack,
            ProbeResult<ProcessConfig> settings,
            ProbeResult<ServerCounters> counters,
            ProbeResult<Long> clockSkewMs) {
        int stores = 0;
        int files = 0;
        int most = 0;
        long memstoreBytes = 0;
        for (RegionMetrics region : report.getRegionMetrics().values()) {
            stores += region.getStoreCount();
            files += region.getStoreFileCount();
            most = Math.max(most, ceiling(region.getStoreFileCount(), region.getStoreCount()));
            memstoreBytes += (long) region.getMemStoreSize().get(Size.Unit.BYTE);
        }
        return new ProbedRegionServer(
                PrintableName.of(report.getServerName().getHostname()),
                version(settings),
                rack,
                settings,
                (long) report.getMaxHeapSize().get(Size.Unit.BYTE),
                report.getRegionMetrics().size(),
                stores,
                files,
                most,
                memstoreBytes,
                counters,
                ProbeResult.unknown("nobody has watched it"),
                clockSkewMs);
    }

    /** The same with what it read between these counters and those. */
    static ProbedRegionServer watched(ProbedRegionServer server, ProbeResult<ServerCounters> now, long overMs) {
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
                now,
                reads(server.counters(), now, overMs),
                server.clockSkewMs());
    }

    private static ProbeResult<LocalReads> reads(
            ProbeResult<ServerCounters> earlier, ProbeResult<ServerCounters> now, long overMs) {
        if (earlier.ifKnown().isEmpty() || now.ifKnown().isEmpty()) {
            return ProbeResult.unknown("its counters can't be read");
        }
        ServerCounters before = earlier.ifKnown().get();
        ServerCounters after = now.ifKnown().get();
        long local = after.localBytesRead() - before.localBytesRead();
        long shortCircuit = after.shortCircuitBytesRead() - before.shortCircuitBytesRead();
        return local < 0 || shortCircuit < 0
                ? ProbeResult.unknown("it was restarted meanwhile")
                : ProbeResult.known(new LocalReads(local, shortCircuit, overMs));
    }

    /** The report has none: a client is told 0.0.0. */
    private static ProbeResult<String> version(ProbeResult<ProcessConfig> settings) {
        return settings.ifKnown()
                .map(own -> own.values().get(ProcessConfig.HBASE_VERSION))
                .map(ProbeResult::known)
                .orElseGet(() -> ProbeResult.unknown("its configuration can't be read"));
    }

    /** Files for each store, rounded up. */
    static int ceiling(int files, int stores) {
        return stores == 0 ? files : (files + stores - 1) / stores;
    }

    /** What its page of metrics counts. */
    static ProbeResult<ServerCounters> counters(InfoServerClient ui) {
        return ui.counts(
                BEAN,
                COUNTERS,
                count -> new ServerCounters(
                        count.applyAsLong(LOCAL),
                        count.applyAsLong(SHORT_CIRCUIT),
                        count.applyAsLong(FLUSHES),
                        count.applyAsLong(FLUSH_BYTES),
                        count.applyAsLong(QUEUE),
                        count.applyAsLong(HEDGED),
                        count.applyAsLong(HEDGED_WINS)));
    }
}
