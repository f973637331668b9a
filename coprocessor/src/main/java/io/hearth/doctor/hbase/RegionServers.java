package io.hearth.doctor.hbase;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Settings;
import java.util.NoSuchElementException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** What a RegionServer is known by: its report to the HMaster, and its own page of metrics. Stateless. */
final class RegionServers {

    private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";

    private RegionServers() {}

    /** From its report, with what only others know of it. */
    static FoundRegionServer found(
            ServerMetrics report, Answer<String> rack, Answer<Settings> settings, Answer<ServerCounters> counters) {
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
                counters);
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
        Answer<JsonObject> answer = ui.bean(BEAN);
        if (answer instanceof Answer.Unknown<JsonObject> unknown) {
            return Answer.unknown(unknown.why());
        }
        JsonObject bean = answer.ifKnown().orElseThrow();
        try {
            return Answer.known(new ServerCounters(
                    number(bean, "localBytesRead"),
                    number(bean, "shortCircuitBytesRead"),
                    number(bean, "FlushMemstoreSize_num_ops"),
                    number(bean, "FlushMemstoreSize_mean"),
                    number(bean, "compactionQueueLength"),
                    number(bean, "hedgedReads"),
                    number(bean, "hedgedReadWins")));
        } catch (NoSuchElementException missing) {
            return Answer.unknown("its page /jmx has no " + missing.getMessage());
        }
    }

    private static long number(JsonObject bean, String attribute) {
        JsonElement value = bean.get(attribute);
        if (value == null || value.isJsonNull()) {
            throw new NoSuchElementException(attribute);
        }
        return value.getAsLong();
    }
}
