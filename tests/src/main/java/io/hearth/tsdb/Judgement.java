package io.hearth.tsdb;

import io.hearth.tsdb.stream.MetricStream;
import io.hearth.tsdb.stream.Point;
import io.hearth.tsdb.stream.ReadBack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What has to be so when the stream has ended: every point acknowledged, and there by OpenTSDB's word, and every row by HBase's. */
final class Judgement {

    private final TsdbPlan plan;
    private final Findings findings;
    private final TsdbTables tables;
    private final TsdClient client;
    private final MetricStream stream;

    Judgement(TsdbPlan plan, Findings findings, TsdbTables tables, TsdClient client, MetricStream stream) {
        this.plan = plan;
        this.findings = findings;
        this.tables = tables;
        this.client = client;
        this.stream = stream;
    }

    void judge(PutLoad puts, QueryLoad queries) throws IOException, InterruptedException {
        long count = puts.acknowledged().count();
        findings.expect(
                count == puts.sent(),
                "every point was acknowledged",
                String.format(
                        Locale.ROOT,
                        "%,d of %,d; requests that were refused and sent again: %s",
                        count,
                        puts.sent(),
                        puts.refusals().words()));
        findings.expect(
                queries.failures().count() == 0,
                "no query failed",
                queries.failures().words());
        expect("every answer was whole", queries.answers());
        expect("every acknowledged point is read back", readBack(puts));
        Set<ByteBuffer> keys =
                puts.acknowledged().all().mapToObj(stream::point).map(this::key).collect(Collectors.toSet());
        Set<ByteBuffer> found = tables.keys();
        findings.expect(
                found.containsAll(keys),
                "every row has the key that is expected",
                keys.size() + " of " + found.size() + " rows");
    }

    private void expect(String what, ReadBack found) {
        findings.expect(
                found.isWhole(),
                what,
                String.format(
                        Locale.ROOT,
                        "%,d looked for, %,d missing, %,d with another value",
                        found.expected(),
                        found.missing(),
                        found.wrong()));
    }

    private ReadBack readBack(PutLoad puts) throws IOException, InterruptedException {
        ReadBack all = ReadBack.NOTHING;
        for (int metric = 0; metric < stream.metrics(); metric++) {
            int wanted = metric;
            all = all.plus(ReadBack.of(
                    stream,
                    puts.acknowledged().all().filter(number -> stream.metricOf(number) == wanted),
                    client.query(metric, TsdbPlan.HOSTS, stream.startMs(), stream.dueMs(puts.sent()))));
        }
        return all;
    }

    private ByteBuffer key(Point point) {
        return ByteBuffer.wrap(plan.table().key(point.metric() + 1, 1, point.host() + 1, point.timestampMs()));
    }
}
