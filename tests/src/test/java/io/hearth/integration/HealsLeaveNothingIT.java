package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.healing.hdfs.HdfsBridge;
import io.hearth.healing.observe.NameNodePulse;
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
@Tag("shared")
class HealsLeaveNothingIT {

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
                .property("hearth.heal.settle.ms", "1000")
                .shared()) {
            feelsTheHdfsBalancer(cluster);
            HomeTable table = HomeTable.load(cluster);
            awaitHome(table);
            long bytes = 0;
            long usedBefore = usedBytes();
            int threadsBefore = Thread.activeCount();
            for (int heal = 0; heal < HEALS; heal++) {
                bytes += table.moveEveryOtherRegion();
                awaitHome(table);
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
                    .allMatch(line ->
                            line.contains(" REPORTED ") || line.contains(" LEFT ") || line.contains(" UNFINISHED ")));
            System.out.println(lastHeals().get(0));
        }
    }

    private static void feelsTheHdfsBalancer(EmbeddedCluster cluster) throws Exception {
        FileSystem fs = cluster.fileSystem();
        try (HdfsBridge bridge = HdfsBridge.to(
                fs, new Path(cluster.configuration().get(HConstants.HBASE_DIR)), cluster.configuration())) {
            NameNodePulse pulse = bridge.nameNodePulse();
            assertThat(pulse.feel().ifKnown().orElseThrow().balancerRuns()).isFalse();
            Path lock = new Path("/system/balancer.id");
            try (FSDataOutputStream held = fs.create(lock)) {
                held.writeBytes("somewhere");
                held.hflush();
                assertThat(pulse.feel().ifKnown().orElseThrow().balancerRuns()).isTrue();
                assertThat(pulse.feel().ifKnown().orElseThrow().moverRuns()).isFalse();
            }
            assertThat(pulse.feel().ifKnown().orElseThrow().balancerRuns())
                    .as("left behind, but closed")
                    .isFalse();
            assertThat(pulse.feel().ifKnown().orElseThrow().micros()).isPositive();
            fs.delete(lock, false);
        }
    }

    private static void awaitHome(HomeTable table) {
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
