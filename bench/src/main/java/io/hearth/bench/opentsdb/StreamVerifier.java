// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import io.hearth.bench.opentsdb.TsdbRun.TsdbOptions;
import io.hearth.bench.opentsdb.stream.MetricStream;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import io.hearth.bench.opentsdb.stream.ReadBackResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What has to be so when the stream has ended: every point acknowledged, and there when OpenTSDB is asked, and every row when HBase is. */
final class StreamVerifier {

    private final TsdbOptions options;
    private final ExpectationLog expectations;
    private final TsdbTables tables;
    private final TsdClient client;
    private final MetricStream stream;

    StreamVerifier(
            TsdbOptions options,
            ExpectationLog expectations,
            TsdbTables tables,
            TsdClient client,
            MetricStream stream) {
        this.options = options;
        this.expectations = expectations;
        this.tables = tables;
        this.client = client;
        this.stream = stream;
    }

    void verify(PutLoad puts, QueryLoad queries) throws IOException, InterruptedException {
        long count = puts.acknowledged().count();
        expectations.expect(
                count == puts.sent(),
                "every point was acknowledged",
                String.format(
                        Locale.ROOT,
                        "%,d of %,d; requests that were refused and sent again: %s",
                        count,
                        puts.sent(),
                        puts.refusals().summary()));
        expectations.expect(
                queries.failures().count() == 0,
                "no query failed",
                queries.failures().summary());
        expect("every answer was whole", queries.answers());
        expect("every acknowledged point is read back", readBackResult(puts));
        Set<ByteBuffer> keys =
                puts.acknowledged().all().mapToObj(stream::point).map(this::key).collect(Collectors.toSet());
        Set<ByteBuffer> found = tables.keys();
        expectations.expect(
                found.containsAll(keys),
                "every row has the key that is expected",
                keys.size() + " of " + found.size() + " rows");
    }

    private void expect(String what, ReadBackResult found) {
        expectations.expect(
                found.isComplete(),
                what,
                String.format(
                        Locale.ROOT,
                        "%,d looked for, %,d missing, %,d with another value",
                        found.expected(),
                        found.missing(),
                        found.wrong()));
    }

    private ReadBackResult readBackResult(PutLoad puts) throws IOException, InterruptedException {
        ReadBackResult all = ReadBackResult.NOTHING;
        for (int metric = 0; metric < stream.metrics(); metric++) {
            int wanted = metric;
            all = all.plus(ReadBackResult.of(
                    stream,
                    puts.acknowledged().all().filter(number -> stream.metricOf(number) == wanted),
                    client.query(metric, TsdbOptions.HOSTS, stream.startMs(), stream.dueMs(puts.sent()))));
        }
        return all;
    }

    private ByteBuffer key(DataPoint point) {
        return ByteBuffer.wrap(options.table().key(point.metric() + 1, 1, point.host() + 1, point.timestampMs()));
    }
}
