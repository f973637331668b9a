// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What heals leave behind in the master, and what the healer feels of the NameNode. */
@Tag("soak")
@Tag("shared")
class HealerLeakIT {

    private static final int HEALS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A thread that waits for DataNodes goes after 15 seconds without work. */
    private static final Duration IDLE_THREAD = Duration.ofSeconds(45);

    @Test
    void tenHealsLeaveNoThreadAndTheirOutcomes() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .withHearth()
                // Only to make time pass faster.
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "1000")
                .shared()) {
            feelsTheHdfsBalancer(cluster);
            LocalityTable table = LocalityTable.load(cluster);
            awaitLocal(table);
            long bytes = 0;
            long usedBefore = usedBytes();
            int threadsBefore = Thread.activeCount();
            for (int heal = 0; heal < HEALS; heal++) {
                bytes += table.moveEveryOtherRegion();
                awaitLocal(table);
            }
            System.out.printf(
                    "%d heals of %d bytes: threads of the JVM %d -> %d, of healing %s, heap after collection %d -> %d"
                            + " bytes%n",
                    HEALS,
                    bytes,
                    threadsBefore,
                    Thread.activeCount(),
                    healingThreads(cluster),
                    usedBefore,
                    usedBytes());
            await("threads that wait for DataNodes go")
                    .atMost(IDLE_THREAD)
                    .untilAsserted(() -> assertThat(healingThreads(cluster)).hasSize(1));
            await("servers report what was healed").atMost(PATIENCE).untilAsserted(() -> assertThat(lastHeals())
                    .hasSizeGreaterThan(HEALS)
                    .allMatch(line -> line.contains(" REPORTED ")
                            || line.contains(" REGION_MOVED ")
                            || line.contains(" UNFINISHED ")));
            System.out.println(lastHeals().get(0));
        }
    }

    private static void feelsTheHdfsBalancer(EmbeddedCluster cluster) throws Exception {
        FileSystem fs = cluster.fileSystem();
        try (HdfsAdapter adapter = HdfsAdapter.to(
                fs,
                new Path(cluster.configuration().get(HConstants.HBASE_DIR)),
                cluster.configuration(),
                Runnable::run)) {
            NameNodeProbe nameNodeProbe = adapter.nameNodeProbe();
            assertThat(nameNodeProbe.probe().ifKnown().orElseThrow().balancerRuns())
                    .isFalse();
            Path lock = new Path("/system/balancer.id");
            try (FSDataOutputStream held = fs.create(lock)) {
                held.writeBytes("somewhere");
                held.hflush();
                assertThat(nameNodeProbe.probe().ifKnown().orElseThrow().balancerRuns())
                        .isTrue();
                assertThat(nameNodeProbe.probe().ifKnown().orElseThrow().moverRuns())
                        .isFalse();
            }
            assertThat(nameNodeProbe.probe().ifKnown().orElseThrow().balancerRuns())
                    .as("left behind, but closed")
                    .isFalse();
            assertThat(nameNodeProbe.probe().ifKnown().orElseThrow().micros()).isPositive();
            fs.delete(lock, false);
        }
    }

    private static void awaitLocal(LocalityTable table) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(table.localShare()).isEqualTo(1.0));
    }

    /** Those of this cluster's master: another cluster may be in this JVM. */
    private static List<String> healingThreads(EmbeddedCluster cluster) {
        int port = cluster.master().getServerName().getPort();
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("hearth-healer-") && name.contains(":" + port))
                .sorted()
                .toList();
    }

    private static long usedBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static List<String> lastHeals() throws Exception {
        return List.of((String[]) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("Hadoop:service=HBase,name=Master,sub=HearthHealingView"), "LastHeals"));
    }
}
