// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.capacity.CacheHits;
import io.hearth.doctor.capacity.CacheHits.ServerReads;
import io.hearth.doctor.capacity.ServerMemory;
import io.hearth.doctor.capacity.TableStore.Flushes;
import io.hearth.doctor.capacity.TableStore.Reads;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/**
 * What RegionServers count for each table, added up: gets and scans, of which each table has a bean, and flushes, which are in one bean
 * for all tables. A server that does not answer has none, and a table of which nobody tells is missing. Immutable.
 *
 * @param readsByServer in the order of the servers that were asked
 */
record TableCounters(List<Map<TableName, Reads>> readsByServer, Map<TableName, Flushes> flushes) {

    static final String READ_BEANS = "Hadoop:service=HBase,name=RegionServer,sub=TableRequests_Namespace_";
    static final String GETS = "GetTime_num_ops";
    static final String SCANS = "ScanTime_num_ops";
    static final String TABLES_BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Tables";
    static final String FLUSHES = "flushMemstoreSize_num_ops";
    static final String FLUSHED = "flushedMemstoreBytes";

    private static final String NAME = "name";
    private static final Set<String> READ = Set.of(NAME, GETS, SCANS);
    private static final Pattern READ_BEAN = Pattern.compile(Pattern.quote(READ_BEANS) + "(.+?)_table_(.+)");
    private static final Pattern FLUSH =
            Pattern.compile("Namespace_(.+?)_table_(.+)_metric_(" + FLUSHES + "|" + FLUSHED + ")");
    private static final int MAX_TABLES = 10_000;

    /** Those of all these servers together. */
    static TableCounters of(List<Optional<InfoServerClient>> uis, ParallelProber prober) {
        TableCounters all =
                new TableCounters(TableCounters.<Reads>each(uis, TableCounters::reads, prober), new HashMap<>());
        TableCounters.<Flushes>each(uis, TableCounters::flushes, prober)
                .forEach(one -> one.forEach((table, flushes) -> all.flushes.merge(table, flushes, Flushes::plus)));
        return all;
    }

    /** What each server tells; nothing of one that does not. */
    private static <T> List<Map<TableName, T>> each(
            List<Optional<InfoServerClient>> uis,
            Function<InfoServerClient, ProbeResult<Map<TableName, T>>> question,
            ParallelProber prober) {
        List<ProbeResult<Map<TableName, T>>> answers = prober.each(
                uis,
                ui -> ui.map(question).orElseGet(() -> ProbeResult.unknown("it has no web UI")),
                (ui, why) -> ProbeResult.unknown(why));
        return answers.stream().map(answer -> answer.ifKnown().orElse(Map.of())).toList();
    }

    ProbeResult<Reads> readsOf(TableName table) {
        return readsByServer.stream()
                .flatMap(reads -> Optional.ofNullable(reads.get(table)).stream())
                .reduce(Reads::plus)
                .map(ProbeResult::known)
                .orElseGet(() -> ProbeResult.unknown("no RegionServer counts its reads"
                        + " (hbase.regionserver.enable.table.latencies, on by default; HBase 2.6 or later)"));
    }

    /**
     * How often the block caches that the table's reads go to have what is asked for.
     *
     * @param servers those that were asked, in the same order
     */
    ProbeResult<Double> cacheHitShareOf(TableName table, List<ServerMemory> servers) {
        List<ServerReads> reads = new ArrayList<>();
        for (int server = 0; server < servers.size(); server++) {
            reads.add(new ServerReads(
                    readsByServer.get(server).getOrDefault(table, Reads.NONE).all(),
                    servers.get(server).counters().cache()));
        }
        return CacheHits.share(reads);
    }

    ProbeResult<Flushes> flushesOf(TableName table) {
        Flushes ofTable = flushes.get(table);
        return ofTable == null ? ProbeResult.unknown("no RegionServer counts its flushes") : ProbeResult.known(ofTable);
    }

    private static ProbeResult<Map<TableName, Reads>> reads(InfoServerClient ui) {
        return ui.ask("/jmx?qry=" + URLEncoder.encode(READ_BEANS + "*", StandardCharsets.UTF_8), TableCounters::reads);
    }

    private static ProbeResult<Map<TableName, Reads>> reads(JsonReader page) throws IOException {
        Map<TableName, Reads> reads = new HashMap<>();
        if (!BoundedJsonReader.enter(page, "beans")) {
            return ProbeResult.unknown("its page /jmx has no beans");
        }
        page.beginArray();
        while (page.hasNext() && reads.size() < MAX_TABLES) {
            Map<String, String> bean = BoundedJsonReader.texts(page, READ::contains);
            Matcher table = READ_BEAN.matcher(bean.getOrDefault(NAME, ""));
            if (table.matches() && bean.containsKey(GETS) && bean.containsKey(SCANS)) {
                reads.put(
                        TableName.valueOf(table.group(1), table.group(2)),
                        new Reads(BoundedJsonReader.count(bean.get(GETS)), BoundedJsonReader.count(bean.get(SCANS))));
            }
        }
        return ProbeResult.known(reads);
    }

    private static ProbeResult<Map<TableName, Flushes>> flushes(InfoServerClient ui) {
        return ui.ask("/jmx?qry=" + URLEncoder.encode(TABLES_BEAN, StandardCharsets.UTF_8), page -> {
            Map<TableName, Flushes> flushes = new HashMap<>();
            if (BoundedJsonReader.enter(page, "beans")) {
                page.beginArray();
                if (page.hasNext()) {
                    BoundedJsonReader.texts(page, name -> FLUSH.matcher(name).matches())
                            .forEach((name, value) -> add(flushes, name, BoundedJsonReader.count(value)));
                }
            }
            return ProbeResult.known(flushes);
        });
    }

    private static void add(Map<TableName, Flushes> flushes, String name, long count) {
        Matcher parts = FLUSH.matcher(name);
        if (parts.matches()) {
            flushes.merge(
                    TableName.valueOf(parts.group(1), parts.group(2)),
                    parts.group(3).equals(FLUSHES) ? new Flushes(count, 0) : new Flushes(0, count),
                    Flushes::plus);
        }
    }
}
