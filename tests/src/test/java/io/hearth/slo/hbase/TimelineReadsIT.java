// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.probe.TimelineProber;
import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.probe.TimelineRead.Answer;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The share of stale answers by primary-call timeout, of a table with two replicas whose primaries are slow for a while. */
@Tag("soak")
class TimelineReadsIT {

    private static final TableName REPLICATED = TableName.valueOf("replicated");
    private static final TableName PLAIN = TableName.valueOf("plain");
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final int SHORT_MS = 50;
    private static final int LONG_MS = 5_000;
    private static final long SLOW_MS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Map<Integer, Map<Answer, Long>> answers = new ConcurrentHashMap<>();

    /** Gets of primaries take so long, those of replicas do not. */
    public static final class SlowPrimary implements RegionCoprocessor, RegionObserver {

        private static volatile long pauseMs;

        @Override
        public Optional<RegionObserver> getRegionObserver() {
            return Optional.of(this);
        }

        @Override
        public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
                throws InterruptedIOException {
            if (context.getEnvironment().getRegionInfo().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID) {
                try {
                    TimeUnit.MILLISECONDS.sleep(pauseMs);
                } catch (InterruptedException stopped) {
                    throw new InterruptedIOException("stopped");
                }
            }
        }
    }

    private synchronized void count(TimelineRead read) {
        answers.computeIfAbsent(read.timeoutMs(), timeout -> new EnumMap<>(Answer.class))
                .merge(read.answer(), 1L, Long::sum);
    }

    private synchronized long answers(int timeoutMs, Answer answer) {
        return answers.getOrDefault(timeoutMs, Map.of()).getOrDefault(answer, 0L);
    }

    private synchronized void forget() {
        answers.clear();
    }

    private static void create(EmbeddedCluster cluster, TableName name, int replicas) throws IOException {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setRegionReplication(replicas)
                .setCoprocessor(SlowPrimary.class.getName());
        cluster.admin().createTable(table.build(), new byte[][] {Bytes.toBytes("m")});
        try (Table rows = cluster.connection().getTable(name)) {
            for (String row : List.of("a", "n")) {
                rows.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, FAMILY));
            }
        }
        cluster.admin().flush(name);
    }

    private TimelineProber prober(TimelineWatch watch) {
        return new TimelineProber(
                List.of(SHORT_MS, LONG_MS), watch, LIMIT, System::nanoTime, System::currentTimeMillis, 27, this::count);
    }

    /** Without a pause, which the prober would take for one of this process. */
    private static void turnUntil(String what, TimelineWatch watch, TimelineProber prober, BooleanSupplier isSo)
            throws IOException {
        long endNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).as("until %s", what).isLessThan(endNanos);
            watch.turn(prober);
            LockSupport.parkNanos(prober.turn());
        }
    }

    @Test
    void aSlowPrimaryMakesAnswersStaleForThoseWhoDoNotWait() throws Exception {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().hosts(3).racks(1).start()) {
            create(cluster, REPLICATED, 2);
            create(cluster, PLAIN, 1);
            Configuration conf = cluster.configuration();
            HealerUser user = HealerUser.login(conf);
            try (TimelineWatch watch =
                    new TimelineWatch(conf, user, List.of(PLAIN, REPLICATED), List.of(SHORT_MS, LONG_MS), LIMIT)) {
                TimelineProber prober = prober(watch);
                turnUntil(
                        "primaries answer",
                        watch,
                        prober,
                        () -> answers(SHORT_MS, Answer.FRESH) >= 4 && answers(LONG_MS, Answer.FRESH) >= 4);

                SlowPrimary.pauseMs = SLOW_MS;
                long sentBeforeNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
                turnUntil("reads from before have ended", watch, prober, () -> System.nanoTime() > sentBeforeNanos);
                forget();
                turnUntil(
                        "replicas answer those who wait for 50 ms",
                        watch,
                        prober,
                        () -> answers(SHORT_MS, Answer.STALE) >= 4 && answers(LONG_MS, Answer.FRESH) >= 4);
                assertThat(answers(SHORT_MS, Answer.FRESH)).isZero();
                assertThat(answers(LONG_MS, Answer.STALE))
                        .as("of those who wait for 5 s")
                        .isZero();
                assertThat(answers(SHORT_MS, Answer.NONE) + answers(LONG_MS, Answer.NONE))
                        .isZero();
            } finally {
                SlowPrimary.pauseMs = 0;
            }
            try (TimelineWatch none = new TimelineWatch(conf, user, List.of(PLAIN), List.of(SHORT_MS), LIMIT)) {
                assertThatThrownBy(() -> none.turn(prober(none)))
                        .isInstanceOf(IOException.class)
                        .hasMessage("none of the tables plain has REGION_REPLICATION above 1:"
                                + " no timeline-consistent read is made");
            }
        }
    }
}
