// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockLocationsTest {

    private final RecordingLocalityErrorHandler errorHandler = new RecordingLocalityErrorHandler();
    private final List<RegionInfo> landed = new ArrayList<>();
    private final BlockLocations locations =
            new BlockLocations(this::answer, () -> nowMs(), errorHandler, (region, blocks) -> landed.add(region));
    private IOException failure = new IOException("not set");
    private boolean fails;
    private Runnable duringTheAnswer = () -> {};
    private long nowMs;
    private long bytes;
    private StorageType ofB = StorageType.DISK;

    private long nowMs() {
        return nowMs;
    }

    private HDFSBlocksDistribution answer(RegionInfo region) throws IOException {
        if (fails) {
            throw failure;
        }
        duringTheAnswer.run();
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        if (bytes > 0) {
            blocks.addHostsAndBlockWeight(new String[] {"a", "b"}, bytes, new StorageType[] {StorageType.DISK, ofB});
        }
        return blocks;
    }

    private static RegionInfo region(String table) {
        return RegionInfoBuilder.newBuilder(TableName.valueOf(table))
                .setRegionId(1)
                .build();
    }

    private void askAndFail(String table, IOException with) {
        failure = with;
        fails = true;
        locations.ask(region(table));
        fails = false;
    }

    static Stream<IOException> ofTheRegion() {
        return Stream.of(
                new FileNotFoundException("a dangling link"),
                new IOException("wrapped", new FileNotFoundException("a dangling link")),
                new RemoteException("java.io.FileNotFoundException", "a dangling link"),
                new RemoteException("org.apache.hadoop.security.AccessControlException", "not for you"));
    }

    @ParameterizedTest
    @MethodSource("ofTheRegion")
    void aRegionThatCannotBeReadIsLeftAloneAndTheOthersAreNot(IOException with) {
        for (int number = 0; number < 50; number++) {
            askAndFail("t" + number, with);
        }
        assertThat(locations.isAskable()).isTrue();
        assertThat(errorHandler.all).hasSize(50).allMatch(trouble -> trouble.startsWith("t"));

        locations.ask(region("t0"));
        assertThat(locations.known(region("t0"))).as("asked again too early").isEmpty();
        nowMs = BlockLocations.RETRY_AFTER_MS;
        assertThat(locations.due(1_000)).contains(region("t0"));
        locations.ask(region("t0"));
        assertThat(locations.known(region("t0"))).isPresent();
    }

    static Stream<IOException> away() {
        return Stream.of(
                new ConnectException("refused"),
                new SocketTimeoutException("no answer"),
                new IOException("wrapped", new ConnectException("refused")),
                new RemoteException("org.apache.hadoop.ipc.StandbyException", "standby"),
                new RemoteException("org.apache.hadoop.ipc.RetriableException", "in transition"),
                new RemoteException("org.apache.hadoop.hdfs.server.namenode.SafeModeException", "safe mode"));
    }

    @Test
    void whatIsToldOfAnswersIsEachThatIsKept() {
        askAndFail("t", new IOException("odd"));
        locations.ask(region("u"));
        locations.ask(region("u"));
        assertThat(landed).containsExactly(region("u"));

        duringTheAnswer = () -> locations.changed(region("v"));
        locations.ask(region("v"));
        assertThat(landed).as("from before a change").containsExactly(region("u"));
    }

    @ParameterizedTest
    @MethodSource("away")
    void aNameNodeThatIsAwayIsLeftAloneForAMinute(IOException with) {
        askAndFail("t", with);

        assertThat(errorHandler.all).containsExactly("away: " + with.getMessage());
        assertThat(locations.isAskable()).isFalse();
        nowMs = BlockLocations.RETRY_AFTER_MS - 1;
        assertThat(locations.isAskable()).isFalse();
        nowMs = BlockLocations.RETRY_AFTER_MS;
        assertThat(locations.isAskable()).isTrue();
    }

    @Test
    void manyRegionsInARowThatNobodyCanExplainAreTheNameNodesTrouble() {
        List<String> expected = new ArrayList<>();
        for (int number = 1; number <= 9; number++) {
            askAndFail("t" + number, new IOException("odd"));
            expected.add("t" + number + ": odd");
        }
        locations.ask(region("fine"));
        for (int number = 11; number <= 19; number++) {
            askAndFail("t" + number, new IOException("odd"));
            expected.add("t" + number + ": odd");
        }
        assertThat(locations.isAskable()).as("an answer between").isTrue();

        askAndFail("t20", new IOException("odd"));
        expected.add("away: odd");
        assertThat(locations.isAskable()).isFalse();
        assertThat(errorHandler.all).containsExactlyElementsOf(expected);
    }

    @Test
    void oneRegionThatFailsAgainAndAgainIsOne() {
        for (int number = 0; number < 50; number++) {
            askAndFail("t", new IOException("odd"));
            nowMs += BlockLocations.RETRY_AFTER_MS;
        }

        assertThat(errorHandler.all).hasSize(50);
        assertThat(locations.isAskable()).isTrue();
    }

    /** What a plan was made on is kept, with the answers of then. */
    @Test
    void anAnswerThatSaysTheSameIsTheOneOfBefore() {
        bytes = 100;
        CompactBlocksDistribution before = changed(region("t"));

        assertThat(changed(region("t"))).isSameAs(before);
        ofB = StorageType.SSD;
        CompactBlocksDistribution onSsd = changed(region("t"));
        assertThat(onSsd).isNotSameAs(before);
        assertThat(onSsd.getBlocksLocalWithSsdWeight("b")).isEqualTo(100);
        bytes = 200;
        assertThat(changed(region("t")).getWeight("a")).isEqualTo(200);
    }

    private CompactBlocksDistribution changed(RegionInfo region) {
        locations.changed(region);
        locations.ask(region);
        return locations.known(region).orElseThrow();
    }
}
