// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names that Hadoop 3.4.3 gives its threads ({@code DataXceiver.updateCurrentThreadName}). */
class ReaderThreadsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DataXceiver for client DFSClient_NONMAPREDUCE_1_1 at /10.0.0.7:4711 [Sending block BP-1:blk_7_1001]",
                "DataXceiver for client unix:/run/dn [Passing file descriptors for block BP-1:blk_7_1001]"
            })
    void aClientReads(String thread) {
        assertThat(ReaderThreads.isClient(thread)).isTrue();
        assertThat(ReaderThreads.isScanner(thread)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DataXceiver for client /10.0.0.7:4711 [Copying block BP-1:blk_7_1001]",
                "DataXceiver for client  at /10.0.0.7:4711 [Receiving block BP-1:blk_7_1001]",
                "VolumeScannerThread(/data/1)",
                "main"
            })
    void nobodyElseIsTakenForAClient(String thread) {
        assertThat(ReaderThreads.isClient(thread)).isFalse();
    }

    @Test
    void aClientThatReadsOverTheNetworkHasAName() {
        assertThat(
                        ReaderThreads.isRemoteClient(
                                "DataXceiver for client DFSClient_NONMAPREDUCE_1_1 at /10.0.0.7:4711 [Sending block BP-1:blk_7_1001]"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DataXceiver for client  at /10.0.0.7:4711 [Sending block BP-1:blk_7_1001]",
                "DataXceiver for client /10.0.0.7:4711 [Sending block BP-1:blk_7_1001]",
                "DataXceiver for client DFSClient_1 at /10.0.0.7:4711 [Receiving block BP-1:blk_7_1001]",
                "DataXceiver for client DFSClient_1 at /10.0.0.7:4711 [Waiting for operation #2]",
                "DataXceiver for client unix:/run/dn [Passing file descriptors for block BP-1:blk_7_1001]",
                "VolumeScannerThread(/data/1)",
                "Sending block BP-1:blk_7_1001"
            })
    void nobodyElseIsServedByTheCache(String thread) {
        assertThat(ReaderThreads.isRemoteClient(thread)).isFalse();
    }

    @Test
    void shortCircuit() {
        assertThat(ReaderThreads.isShortCircuit(
                        "DataXceiver for client unix:/run/dn [Passing file descriptors for block BP-1:blk_7_1001]"))
                .isTrue();
        assertThat(ReaderThreads.isShortCircuit(
                        "DataXceiver for client DFSClient_1 at /10.0.0.7:4711 [Sending block BP-1:blk_7_1001]"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "DataXceiver for client DFSClient_1 at /10.0.0.7:4711 [Sending block BP-1:blk_7_1001], true",
        "DataXceiver for client  at /10.0.0.7:4711 [Copying block BP-1:blk_7_1001], true",
        "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer@1b2c, true",
        "VolumeScannerThread(/data/1), true",
        "BP-1 heartbeating to host1/10.0.0.1:8020, false",
        "Command processor, false",
    })
    void whoReadsIsNoNameNode(String thread, boolean isReader) {
        assertThat(ReaderThreads.isReader(thread)).isEqualTo(isReader);
    }

    @Test
    void theScannerOfAVolume() {
        assertThat(ReaderThreads.isScanner("VolumeScannerThread(/data/1)")).isTrue();
    }
}
