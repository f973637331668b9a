// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.capacity.TableStore.Reads;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;

/** The gets and scans of each table, which a RegionServer counts in a bean for each. Stateless. */
final class TableReads {

    static final String BEANS = "Hadoop:service=HBase,name=RegionServer,sub=TableRequests_Namespace_";
    static final String GETS = "GetTime_num_ops";
    static final String SCANS = "ScanTime_num_ops";

    private static final String NAME = "name";
    private static final Set<String> READ = Set.of(NAME, GETS, SCANS);
    private static final Pattern TABLE = Pattern.compile(Pattern.quote(BEANS) + "(.+?)_table_(.+)");
    private static final int MAX_TABLES = 10_000;

    private TableReads() {}

    /** Those of all these servers together; a server that does not answer has none, and a table of which nobody tells is missing. */
    static Map<TableName, Reads> of(List<Optional<InfoServerClient>> uis, ParallelProber prober) {
        Map<TableName, Reads> all = new HashMap<>();
        prober.each(
                        uis.stream().flatMap(Optional::stream).toList(),
                        TableReads::of,
                        (ui, why) -> ProbeResult.<Map<TableName, Reads>>unknown(why))
                .forEach(answer -> answer.ifKnown()
                        .ifPresent(
                                ofServer -> ofServer.forEach((table, reads) -> all.merge(table, reads, Reads::plus))));
        return all;
    }

    static ProbeResult<Map<TableName, Reads>> of(InfoServerClient ui) {
        return ui.ask("/jmx?qry=" + URLEncoder.encode(BEANS + "*", StandardCharsets.UTF_8), TableReads::read);
    }

    private static ProbeResult<Map<TableName, Reads>> read(JsonReader page) throws IOException {
        Map<TableName, Reads> reads = new HashMap<>();
        if (!BoundedJsonReader.enter(page, "beans")) {
            return ProbeResult.unknown("its page /jmx has no beans");
        }
        page.beginArray();
        while (page.hasNext() && reads.size() < MAX_TABLES) {
            Map<String, String> bean = BoundedJsonReader.texts(page, READ::contains);
            Matcher table = TABLE.matcher(bean.getOrDefault(NAME, ""));
            if (table.matches() && bean.containsKey(GETS) && bean.containsKey(SCANS)) {
                reads.put(
                        TableName.valueOf(table.group(1), table.group(2)),
                        new Reads(BoundedJsonReader.count(bean.get(GETS)), BoundedJsonReader.count(bean.get(SCANS))));
            }
        }
        return ProbeResult.known(reads);
    }
}
