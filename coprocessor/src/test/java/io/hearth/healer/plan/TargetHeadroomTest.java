// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNode.Volume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TargetHeadroomTest {

    private static final TargetHeadroom HEADROOM = TargetHeadroom.upTo(0.9);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @Test
    void aDataNodeIsFilledUpToTheMark() {
        assertThat(headroom(volume(1, StorageType.DISK, 1_000, 600, 400))).isEqualTo(300);
        assertThat(headroom(volume(1, StorageType.DISK, 1_000, 900, 100))).isZero();
        assertThat(headroom(volume(1, StorageType.DISK, 1_000, 999, 1)))
                .as("99.9 % used")
                .isLessThanOrEqualTo(0);
    }

    @Test
    void aTwentiethMustRemainWhateverFillsIt() {
        assertThat(headroom(volume(1, StorageType.DISK, 1_000, 100, 200)))
                .as("700 bytes of somebody else's")
                .isEqualTo(150);
    }

    @Test
    void whatIsPromisedAndWhatThisPlanAddsIsTakenFromTheRoomOfItsStorage() {
        TargetHeadroom headroom = new TargetHeadroom(0.5, Map.of(StorageType.DISK, 100L, StorageType.SSD, 7L));
        DataNode node = node("c1", volume(1, StorageType.DISK, 1_000, 0, 1_000));

        assertThat(headroom.bytes(node, StorageType.DISK, Map.of(StorageType.DISK, 30L, StorageType.SSD, 9L)))
                .isEqualTo(370);
        assertThat(TargetHeadroom.upTo(0.5).bytes(node, StorageType.DISK)).isEqualTo(500);
    }

    @Test
    void anotherKindOfStorageIsNoRoom() {
        DataNode node =
                node("c1", volume(1, StorageType.SSD, 1_000, 950, 50), volume(2, StorageType.DISK, 10_000, 0, 10_000));

        assertThat(HEADROOM.bytes(node, StorageType.SSD)).isLessThanOrEqualTo(0);
        assertThat(HEADROOM.bytes(node, StorageType.DISK)).isEqualTo(9_000);
        assertThat(HEADROOM.bytes(node, StorageType.ARCHIVE))
                .as("it has none, and says so")
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aVolumeBeyondTheMarkIsNoRoomAndTakesNoneFromOthers() {
        assertThat(headroom(volume(1, StorageType.DISK, 1_000, 990, 10), volume(2, StorageType.DISK, 1_000, 300, 700)))
                .as("1290 of 2000 used, and 600 fit on the second")
                .isEqualTo(510);
        assertThat(headroom(volume(1, StorageType.DISK, 1_000, 990, 10), volume(2, StorageType.DISK, 1_000, 890, 110)))
                .as("the DataNode as a whole is beyond it")
                .isLessThanOrEqualTo(0);
        assertThat(headroom(
                        new Volume("DS-1", StorageType.DISK, false, 1_000, 0, 1_000),
                        volume(2, StorageType.DISK, 1_000, 890, 110)))
                .as("a failed volume is none")
                .isEqualTo(10);
    }

    @Test
    void whatIsUnderWayIsUsed() {
        TargetHeadroom headroom = new TargetHeadroom(0.9, Map.of(StorageType.DISK, 120L, StorageType.SSD, 1_000L));
        DataNode node = node("c1", volume(1, StorageType.DISK, 1_000, 600, 400));

        assertThat(headroom.bytes(node, StorageType.DISK)).isEqualTo(180);
    }

    @Test
    void withoutVolumesTheDataNodeAsAWholeTells() {
        assertThat(HEADROOM.bytes(whole(0.6, 400, OptionalLong.of(1_000)), StorageType.DISK))
                .isEqualTo(300);
        assertThat(HEADROOM.bytes(whole(0.1, 200, OptionalLong.of(1_000)), StorageType.DISK))
                .isEqualTo(150);
        assertThat(HEADROOM.bytes(whole(0.999, 20L << 27, OptionalLong.empty()), StorageType.DISK))
                .as("room for 20 blocks by what is free, and 99.9 % used")
                .isZero();
        assertThat(HEADROOM.bytes(whole(0.5, 77, OptionalLong.empty()), StorageType.DISK))
                .isEqualTo(77);
    }

    /** The plain form: byte after byte, as long as somebody may take it. */
    @ParameterizedTest
    @MethodSource("seeds")
    void itIsWhatCanBePlacedByteAfterByte(long seed) {
        Random random = new Random(seed);
        int volumes = 1 + random.nextInt(4);
        long[] capacity = new long[volumes];
        long[] used = new long[volumes];
        long[] remaining = new long[volumes];
        Volume[] all = new Volume[volumes];
        for (int volume = 0; volume < volumes; volume++) {
            capacity[volume] = 20L * (1 + random.nextInt(20));
            used[volume] = random.nextInt((int) capacity[volume] + 1);
            remaining[volume] = random.nextInt((int) (capacity[volume] - used[volume]) + 1);
            all[volume] = volume(volume, StorageType.DISK, capacity[volume], used[volume], remaining[volume]);
        }
        long placed = 0;
        boolean found = true;
        while (found) {
            found = false;
            for (int volume = 0; volume < volumes && !found; volume++) {
                if (fits(capacity[volume], used[volume], remaining[volume])
                        && fits(
                                LongStream.of(capacity).sum(),
                                LongStream.of(used).sum(),
                                LongStream.of(remaining).sum())) {
                    used[volume]++;
                    remaining[volume]--;
                    placed++;
                    found = true;
                }
            }
        }

        assertThat(Math.max(0, headroom(all)))
                .as("seed %d: %s", seed, List.of(all))
                .isEqualTo(placed);
    }

    /** One more byte. */
    private static boolean fits(long capacity, long used, long remaining) {
        return 10 * (used + 1) <= 9 * capacity && 20 * (remaining - 1) >= capacity;
    }

    private static long headroom(Volume... volumes) {
        return HEADROOM.bytes(node("c1", volumes), StorageType.DISK);
    }

    private static Volume volume(int number, StorageType type, long capacity, long used, long remaining) {
        return new Volume("DS-" + number, type, true, capacity, used, remaining);
    }

    private static DataNode whole(double usedShare, long freeBytes, OptionalLong capacityBytes) {
        DataNode node = node("c1", ServiceState.IN_SERVICE);
        return new DataNode(
                node.id(),
                node.host(),
                node.ipAddress(),
                node.rack(),
                node.state(),
                Optional.empty(),
                OptionalDouble.of(usedShare),
                OptionalLong.of(freeBytes),
                capacityBytes,
                List.of());
    }
}
