// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import static io.hearth.healer.fakes.Racks.disk;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.DataNodes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DataNodeHealthTest {

    private static final DataNode.Id A1 = node("a1").id();

    private final DataNodeHealth health = new DataNodeHealth();

    DataNodeHealthTest() {
        take(0, node("a1", disk("a1", 1), disk("a1", 2)), node("b1"));
    }

    @Test
    void aDataNodeThatHasBeenListedIsWell() {
        take(10, node("a1", disk("a1", 1), disk("a1", 2)), node("b1"));
        assertThat(health.isHealthySince(A1, 0)).isTrue();
        assertThat(health.isHealthySince(node("c1").id(), 0)).as("never listed").isFalse();
    }

    @Test
    void aVolumeThatFailsIsTroubleAtThatMoment() {
        take(10, node("a1", disk("a1", 1), failed(disk("a1", 2))), node("b1"));
        assertThat(health.isHealthySince(A1, 5)).isFalse();

        take(20, node("a1", disk("a1", 1)), node("b1"));
        assertThat(health.isHealthySince(A1, 5))
                .as("the failed volume is not listed any more")
                .isFalse();
        assertThat(health.isHealthySince(A1, 11))
                .as("what came later is not on it")
                .isTrue();
    }

    @Test
    void aVolumeThatIsGoneIsTrouble() {
        take(10, node("a1", disk("a1", 2)), node("b1"));
        assertThat(health.isHealthySince(A1, 5)).isFalse();
        take(20, node("a1", disk("a1", 2), disk("a1", 3)), node("b1"));
        assertThat(health.isHealthySince(A1, 11))
                .as("the new disk is no trouble")
                .isTrue();
    }

    @Test
    void absenceAndStalenessAreTroubleUntilTheirEnd() {
        take(10, node("b1"));
        assertThat(health.isHealthySince(A1, 5)).isFalse();
        take(20, node("a1", disk("a1", 1), disk("a1", 2)), node("b1"));
        assertThat(health.isHealthySince(A1, 15)).as("it came back at 20").isFalse();
        assertThat(health.isHealthySince(A1, 21)).isTrue();

        take(30, node("a1", ServiceState.STALE), node("b1"));
        assertThat(health.isHealthySince(A1, 21)).isFalse();
    }

    @Test
    void whereVolumesAreNotListedCapacityTells() {
        take(10, ofCapacity(100));
        take(20, ofCapacity(100));
        assertThat(health.isHealthySince(A1, 15)).isTrue();
        take(30, ofCapacity(90));
        assertThat(health.isHealthySince(A1, 15)).isFalse();
        assertThat(health.isHealthySince(A1, 31)).isTrue();
    }

    @Test
    void whoSaysNothingOfItsDisksIsNotKnownToBeWell() {
        take(10, node("a1", new Volume[0]));
        assertThat(health.isHealthySince(A1, 11)).isFalse();
    }

    @Test
    void wellIsWhoHadNoTroubleAtThatMomentEither() {
        take(10, node("a1", disk("a1", 1)), node("b1"));

        assertThat(health.isHealthySince(A1, 10)).isFalse();
        assertThat(health.isHealthySince(A1, 11)).isTrue();
    }

    /** One that came later than the first list may have been dead for long, and what it brings was replicated since. */
    @Test
    void whoComesLaterIsWellFromThenOn() {
        take(10, node("a1", disk("a1", 1), disk("a1", 2)), node("b1"), node("c1"));
        assertThat(health.isHealthySince(node("c1").id(), 10)).isFalse();
        assertThat(health.isHealthySince(node("c1").id(), 11)).isTrue();
    }

    /** Its volumes are held against those of before for a day, and then it is new. */
    @Test
    void whoIsAwayForADayIsForgotten() {
        long dayMs = 86_400_000;
        take(10, node("b1"));
        take(10 + dayMs, node("b1"));
        take(11 + dayMs, node("a1", disk("a1", 1), disk("a1", 2)), node("b1"));
        assertThat(health.isHealthySince(A1, 11 + dayMs))
                .as("still known: it came back just now")
                .isFalse();

        take(20 + dayMs, node("b1"));
        take(21 + 2 * dayMs, node("b1"));
        take(22 + 2 * dayMs, node("a1", disk("a1", 1), disk("a1", 2)), node("b1"));
        assertThat(health.isHealthySince(A1, 22 + 2 * dayMs)).as("a new one").isFalse();
        assertThat(health.isHealthySince(A1, 23 + 2 * dayMs)).isTrue();
        assertThat(health.isHealthySince(node("b1").id(), 1))
                .as("who was there all the time")
                .isTrue();
    }

    @Test
    void whoLeavesAndComesIsTold() {
        assertThat(take(10, node("b1"))).extracting(DataNode::host).containsExactly("a1");
        assertThat(take(20, node("b1"))).isEmpty();
        assertThat(take(30, node("a1"), node("b1"))).extracting(DataNode::host).containsExactly("a1");
        assertThat(take(40, node("a1", ServiceState.STALE), node("b1")))
                .as("a restart")
                .isEmpty();
        assertThat(take(50, node("a1"), node("b1", ServiceState.NOT_IN_SERVICE)))
                .extracting(DataNode::host)
                .containsExactly("b1");
        assertThat(take(60, node("a1"))).as("it had left before").isEmpty();
        assertThat(take(70, node("a1"), node("c1")))
                .extracting(DataNode::host)
                .as("it may have been dead before anybody looked")
                .containsExactly("c1");
    }

    private List<DataNode> take(long nowMs, DataNode... nodes) {
        return health.take(DataNodes.of(List.of(nodes)), nowMs);
    }

    private static Volume failed(Volume volume) {
        return new Volume(volume.id(), volume.type(), false, 0, 0, 0);
    }

    private static DataNode ofCapacity(long capacityBytes) {
        DataNode node = node("a1");
        return new DataNode(
                node.id(),
                node.host(),
                node.ipAddress(),
                node.rack(),
                node.state(),
                Optional.empty(),
                OptionalDouble.of(0.5),
                OptionalLong.of(50),
                OptionalLong.of(capacityBytes),
                List.of());
    }
}
