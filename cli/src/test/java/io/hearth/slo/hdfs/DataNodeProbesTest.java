// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DataNodeProbesTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch asked = new CountDownLatch(2);
    private final ProbeThreads threads = new ProbeThreads("probe", 2);

    /** Its NameNode hangs. */
    private final DistributedFileSystem fs = new DistributedFileSystem() {
        @Override
        public HdfsDataOutputStreamBuilder createFile(Path path) {
            asked.countDown();
            try {
                never.await();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("over");
        }
    };

    private final DataNodeProbes probes =
            new DataNodeProbes(fs, new ProbeFiles(fs, new Path("/hearth-slo"), "a"), threads, LONG, probe -> probe, 1);

    @AfterEach
    void close() {
        threads.close();
    }

    private static DatanodeInfo node(int number) {
        return node(number, AdminStates.NORMAL);
    }

    private static DatanodeInfo node(int number, AdminStates state) {
        return new DatanodeInfoBuilder()
                .setIpAddr("10.0.0." + number)
                .setHostName("host" + number)
                .setDatanodeUuid("uuid" + number)
                .setXferPort(9866)
                .setAdminState(state)
                .build();
    }

    /** What an operator takes away is no fault: HDFS has a dead one decommissioned, or in maintenance, as soon as it is told to. */
    @Test
    void aDeadDataNodeCountsWhileItIsInService() {
        DatanodeInfo[] dead = {
            node(1),
            node(2, AdminStates.DECOMMISSIONED),
            node(3, AdminStates.IN_MAINTENANCE),
            node(4, AdminStates.DECOMMISSION_INPROGRESS),
            node(5, AdminStates.ENTERING_MAINTENANCE),
            node(6)
        };

        assertThat(DataNodeProbes.dead(new DatanodeInfo[] {node(7)}, dead))
                .containsExactlyInAnyOrder("host1:9866", "host6:9866");
    }

    /** It came back with new disks, and another identity, or died between the two questions. */
    @Test
    void oneWhoseAddressALiveOneHasIsNotDead() {
        DatanodeInfo[] live = {node(1), node(2, AdminStates.DECOMMISSIONED)};

        assertThat(DataNodeProbes.dead(live, new DatanodeInfo[] {node(1), node(2), node(3)}))
                .containsExactly("host3:9866");
    }

    /** With 1,000 DataNodes all threads wait for a NameNode four seconds after it began to hang. */
    @Test
    void aNameNodeThatHangsIsHeldAgainstNoDataNode() throws Exception {
        probes.nodes(new DatanodeInfo[] {node(1), node(2), node(3)});
        CompletableFuture<Answer> first = probes.write("host1:9866");
        CompletableFuture<Answer> second = probes.write("host2:9866");
        asked.await();

        assertThat(probes.write("host3:9866").get()).isEqualTo(Answer.NOT_ON_TARGET);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }
}
