package io.hearth.doctor.hbase;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Settings;
import java.util.Map;
import java.util.NoSuchElementException;
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
    static FoundRegionServer found(
            ServerMetrics report,
            Answer<String> rack,
            Answer<Settings> settings,
            Answer<ServerCounters> counters,
            Answer<Long> clockAheadMs) {
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
        return new FoundRegionServer(
                report.getServerName().getHostname(),
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
                Answer.unknown("nobody has watched it"),
                clockAheadMs);
    }

    /** The same with what it read between these counters and those. */
    static FoundRegionServer watched(FoundRegionServer server, Answer<ServerCounters> now, long overMs) {
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
                now,
                reads(server.counters(), now, overMs),
                server.clockAheadMs());
    }

    private static Answer<LocalReads> reads(Answer<ServerCounters> earlier, Answer<ServerCounters> now, long overMs) {
        if (earlier.ifKnown().isEmpty() || now.ifKnown().isEmpty()) {
            return Answer.unknown("its counters can't be read");
        }
        ServerCounters before = earlier.ifKnown().get();
        ServerCounters after = now.ifKnown().get();
        long local = after.localBytesRead() - before.localBytesRead();
        long shortCircuit = after.shortCircuitBytesRead() - before.shortCircuitBytesRead();
        return local < 0 || shortCircuit < 0
                ? Answer.unknown("it was restarted meanwhile")
                : Answer.known(new LocalReads(local, shortCircuit, overMs));
    }

    /** The report has none: a client is told 0.0.0. */
    private static Answer<String> version(Answer<Settings> settings) {
        return settings.ifKnown()
                .map(own -> own.values().get(Settings.HBASE_VERSION))
                .map(Answer::known)
                .orElseGet(() -> Answer.unknown("its configuration can't be read"));
    }

    private static int ceiling(int files, int stores) {
        return stores == 0 ? files : (files + stores - 1) / stores;
    }

    /** What its page of metrics counts. */
    static Answer<ServerCounters> counters(WebUi ui) {
        Answer<Map<String, String>> answer = ui.bean(BEAN, COUNTERS);
        if (answer instanceof Answer.Unknown<Map<String, String>> unknown) {
            return Answer.unknown(unknown.why());
        }
        Map<String, String> bean = answer.ifKnown().orElseThrow();
        try {
            return Answer.known(new ServerCounters(
                    count(bean, LOCAL),
                    count(bean, SHORT_CIRCUIT),
                    count(bean, FLUSHES),
                    count(bean, FLUSH_BYTES),
                    count(bean, QUEUE),
                    count(bean, HEDGED),
                    count(bean, HEDGED_WINS)));
        } catch (NoSuchElementException missing) {
            return Answer.unknown("its page /jmx has no " + missing.getMessage());
        } catch (NumberFormatException none) {
            return Answer.unknown("its web UI answers what the doctor can't read");
        }
    }

    private static long count(Map<String, String> bean, String attribute) {
        String value = bean.get(attribute);
        if (value == null) {
            throw new NoSuchElementException(attribute);
        }
        return JsonPages.count(value);
    }
}
