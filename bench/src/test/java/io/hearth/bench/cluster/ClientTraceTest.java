// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cluster.ClientTrace.Read;
import io.hearth.bench.cluster.ClientTrace.Watch;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClientTraceTest {

    private static final String LINE = "2026-11-26 01:11:46,123 DEBUG [DataXceiver for client"
            + " DFSClient_NONMAPREDUCE_-3_1 at /10.77.3.22:40112 [Sending block BP-1-10.77.3.2-1795656214615:blk_1073741"
            + "_1016]] DataNode.clienttrace: src: /10.77.3.21:9866, dest: /10.77.3.22:40112, volume: /data, bytes: 65536,"
            + " op: HDFS_READ, cliID: DFSClient_NONMAPREDUCE_-3_1, offset: 0, srvID: 5d, blockid:"
            + " BP-1-10.77.3.2-1795656214615:blk_1073741_1016, duration(ns): 123";

    private static final Read READ = new Read(1_000, "10.77.3.21", "10.77.3.22", 7);

    @Test
    void aLineOfADataNodeSaysWhoReadWhatFromWhom() {
        long epochMs = LocalDateTime.of(2026, 11, 26, 1, 11, 46, 123_000_000)
                .atZone(ZoneId.systemDefault())
                .toInstant()
                .toEpochMilli();

        assertThat(Read.parse(LINE)).contains(new Read(epochMs, "10.77.3.21", "10.77.3.22", 1_073_741));
        assertThat(Read.parse(LINE.replace("HDFS_READ", "HDFS_WRITE"))).isEmpty();
        assertThat(Read.parse("2026-11-26 01:11:46,123 INFO  [main] x: op: HDFS_READ"))
                .isEmpty();
    }

    @Test
    void onlyReadsOverTheNetworkByTheServerOfTheBlocksCount() {
        assertThat(watch("10.77.3.22", 7).isRemote(READ)).isTrue();
        assertThat(watch("10.77.3.22", 8).isRemote(READ)).isFalse();
        assertThat(watch("10.77.3.23", 7).isRemote(READ)).isFalse();
        assertThat(watch("10.77.3.21", 7).isRemote(new Read(1_000, "10.77.3.21", "10.77.3.21", 7)))
                .isFalse();
        assertThat(watch("10.77.3.22", 7).isRemote(new Read(999, "10.77.3.21", "10.77.3.22", 7)))
                .isFalse();
        assertThat(watch("10.77.3.22", 7).isRemote(new Read(31_000, "10.77.3.21", "10.77.3.22", 7)))
                .isFalse();
    }

    @Test
    void whoReadsRemotelyUntilTheEndMayGoOn() {
        Watch watch = watch("10.77.3.22", 7);

        assertThat(ClientTrace.seconds(watch, 8_500)).isEqualTo(OptionalDouble.of(7.5));
        assertThat(ClientTrace.seconds(watch, 1_000)).isEqualTo(OptionalDouble.of(0));
        assertThat(ClientTrace.seconds(watch, 30_500)).isEmpty();
    }

    private static Watch watch(String reader, long block) {
        return new Watch(1_000, 31_000, reader, Set.of(block));
    }
}
