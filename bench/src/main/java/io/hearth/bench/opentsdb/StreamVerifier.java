// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.TsdbRun.ExpectationLog;
import io.hearth.bench.opentsdb.TsdbRun.TsdbOptions;
import io.hearth.bench.opentsdb.stream.MetricStream;
import io.hearth.bench.opentsdb.stream.MetricStream.DataPoint;
import io.hearth.bench.opentsdb.stream.ReadBackResult;
import io.hearth.bench.threshold.ThresholdReport.Figure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What has to be so when the stream has ended: every point acknowledged, and there when OpenTSDB is asked, and every row when HBase is. */
final class StreamVerifier {

    private static final String WHERE = "in the end";

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
        add(Figure.of(WHERE, "points acknowledged", (double) count, "")
                .atLeast((double) puts.sent(), count == puts.sent()));
        add(Figure.of(
                WHERE,
                "requests refused and sent again",
                (double) puts.refusals().count(),
                ""));
        add(Figure.of(WHERE, "queries failed", (double) queries.failures().count(), "")
                .none());
        expect("every answer was whole", queries.answers());
        expect("every acknowledged point is read back", readBackResult(puts));
        Set<ByteBuffer> keys =
                puts.acknowledged().all().mapToObj(stream::point).map(this::key).collect(Collectors.toSet());
        Set<ByteBuffer> found = tables.keys();
        expectations.expect(
                found.containsAll(keys),
                "every row has the key that is expected",
                keys.size() + " of " + found.size() + " rows");
        add(Figure.of(WHERE, "rows", found.size(), ""));
        add(Figure.of(WHERE, "rows expected", keys.size(), "").atMost(found.size(), found.containsAll(keys)));
    }

    private void add(Figure figure) {
        expectations.add(List.of(figure));
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
        expectations.add(TsdbFigures.of(what, found));
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
