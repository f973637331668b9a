// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class AskedAllowanceTest {

    private final DataNodeCache cache = new DataNodeCache(() -> 0);
    private final DataNode node = met("a");
    private final List<String> asked = new ArrayList<>();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private long answer = 7_000_000;
    private boolean fails;
    private long nowMs;

    private DataNode met(String name) {
        return cache.note(new DatanodeInfo.DatanodeInfoBuilder()
                .setNodeID(new DatanodeID("10.0.0.1", name, "uuid-" + name, 9866, 9864, 9865, 9867))
                .setNetworkLocation("/rack")
                .build());
    }

    private AskedAllowance allowance(Configuration conf) {
        return new AskedAllowance(
                cache,
                info -> {
                    asked.add(info.getHostName());
                    if (fails) {
                        throw new IOException("not now");
                    }
                    return answer;
                },
                threads::add,
                conf,
                () -> nowMs);
    }

    private static Configuration conf() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.datanode.balance.bandwidthPerSec", "50m");
        conf.set("dfs.datanode.balance.max.concurrent.moves", "20");
        return conf;
    }

    @Test
    void theConfigurationStandsForADataNodeThatHasNotSaid() {
        assertThat(allowance(conf()).of(node)).isEqualTo(new DataNodeLimits(20, 50 << 20));
        assertThat(allowance(new Configuration(false)).of(node))
                .as("HDFS's defaults")
                .isEqualTo(new DataNodeLimits(100, 100 << 20));
    }

    @Test
    void aDataNodeIsAskedOnAnotherThreadAndAgainAfterAMinute() {
        AskedAllowance allowance = allowance(conf());
        assertThat(allowance.of(node).bytesPerSecond()).isEqualTo(50 << 20);
        assertThat(asked).isEmpty();
        assertThat(allowance.hasSaid(node)).isFalse();
        threads.poll().run();
        assertThat(allowance.of(node).bytesPerSecond()).isEqualTo(7_000_000);
        assertThat(allowance.hasSaid(node)).isTrue();

        nowMs = 59_999;
        allowance.of(node);
        assertThat(threads).isEmpty();
        nowMs = 60_000;
        answer = 9_000_000;
        allowance.of(node);
        threads.poll().run();
        assertThat(allowance.of(node).bytesPerSecond()).isEqualTo(9_000_000);
        assertThat(asked).containsExactly("a", "a");
    }

    @Test
    void aDataNodeThatDoesNotSayIsWorthWhatWasKnown() {
        AskedAllowance allowance = allowance(conf());
        allowance.of(node);
        threads.poll().run();
        nowMs = 60_000;
        fails = true;
        allowance.of(node);
        threads.poll().run();
        assertThat(allowance.of(node).bytesPerSecond()).isEqualTo(7_000_000);
        fails = false;
        answer = 0;
        nowMs = 120_000;
        allowance.of(node);
        threads.poll().run();
        assertThat(allowance.of(node).bytesPerSecond())
                .as("no rate at all is none")
                .isEqualTo(7_000_000);
    }

    /** A rate of which 100 ms do not fit into a long would leave the bucket in debt for ever. */
    @Test
    void aDataNodeWithoutALimitIsNotTakenAtItsWord() {
        answer = Long.MAX_VALUE;
        AskedAllowance allowance = allowance(conf());
        allowance.of(node);
        threads.poll().run();
        assertThat(allowance.of(node).bytesPerSecond()).isEqualTo(1_000_000_000_000L);
    }

    @Test
    void theQuotaIsLearntFromARefusal() {
        AskedAllowance allowance = allowance(conf());
        allowance.refused(node, "Not able to receive block 1 from /10.0.0.2:1 because threads quota is exceeded.");
        assertThat(allowance.of(node).moves()).isEqualTo(20);
        allowance.refused(node, "Not able to receive block 1 from /10.0.0.2:1 because threads quota=5 is exceeded.");
        assertThat(allowance.of(node)).isEqualTo(new DataNodeLimits(5, 50 << 20));
        threads.poll().run();
        assertThat(allowance.of(node)).isEqualTo(new DataNodeLimits(5, 7_000_000));
    }

    @Test
    void whatIsKnownIsToldWithoutAsking() {
        AskedAllowance allowance = allowance(conf());
        assertThat(allowance.known(node)).isEqualTo(new DataNodeLimits(20, 50 << 20));
        assertThat(threads).isEmpty();
        allowance.of(node);
        threads.poll().run();
        assertThat(allowance.known(node).bytesPerSecond()).isEqualTo(7_000_000);
    }

    @Test
    void aDataNodeThatIsGoneForAnHourIsForgotten() {
        AskedAllowance allowance = allowance(conf());
        allowance.of(node);
        threads.poll().run();
        DataNode other = met("b");
        nowMs = 3_600_000;
        allowance.of(other);
        threads.poll().run();
        assertThat(allowance.known(node).bytesPerSecond()).isEqualTo(7_000_000);
        nowMs = 3_660_001;
        allowance.of(other);
        assertThat(allowance.known(node).bytesPerSecond()).isEqualTo(50 << 20);
        assertThat(allowance.known(other).bytesPerSecond()).isEqualTo(7_000_000);
    }

    @Test
    void eightAreAskedAtOnceAndTheOthersWhenThoseHaveAnswered() {
        AskedAllowance allowance = allowance(conf());
        List<DataNode> nodes = new ArrayList<>();
        for (int number = 0; number < 12; number++) {
            nodes.add(met("n" + number));
        }
        nodes.forEach(allowance::of);
        assertThat(threads).hasSize(8);
        threads.forEach(Runnable::run);
        threads.clear();
        nodes.forEach(allowance::of);
        assertThat(threads).hasSize(4);
    }

    @Test
    void aPoolThatIsShutDownAndAnUnknownDataNodeAskNobody() {
        AskedAllowance stopping = new AskedAllowance(
                cache,
                info -> answer,
                task -> {
                    throw new RejectedExecutionException("shut down");
                },
                conf(),
                () -> nowMs);
        assertThat(stopping.of(node).bytesPerSecond()).isEqualTo(50 << 20);
        DataNode stranger =
                new DataNode(new DataNode.Id("x"), "x", "10.0.0.9", "/rack", DataNode.ServiceState.IN_SERVICE);
        AskedAllowance allowance = allowance(conf());
        assertThat(allowance.of(stranger).bytesPerSecond()).isEqualTo(50 << 20);
        assertThat(threads).isEmpty();
    }
}
