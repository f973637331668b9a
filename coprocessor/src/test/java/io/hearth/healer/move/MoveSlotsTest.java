// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.MoveAdmission.Link;
import io.hearth.healer.move.MoveAdmission.Link.LinkKind;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveSlotsTest {

    private final MoveSlots slots = new MoveSlots();

    @Test
    void whatADataNodeReceivesAndSendsTakesTheSamePlaces() {
        MoveLimits limits = limits(10, 2);

        assertThat(take("a", "b", "g", limits)).isPresent();
        assertThat(take("c", "a", "h", limits)).isPresent();
        assertThat(take("a", "d", "i", limits))
                .as("a receives one and sends one")
                .isEmpty();
        assertThat(take("d", "a", "i", limits)).isEmpty();
        assertThat(slots.taken()).isEqualTo(2);
        assertThat(slots.taken(new MoveSlots.Slot(MoveSlots.MoveRole.TRANSFER, id("d"))))
                .as("a refused taking takes nothing")
                .isZero();
    }

    @Test
    void proxiesAndSourcesHaveSlotsToo() {
        MoveLimits limits = limits(10, 1);

        MoveSlots.Lease lease = take("a", "b", "g", limits).orElseThrow();
        assertThat(take("c", "b", "h", limits)).as("b is copied from").isEmpty();
        assertThat(take("c", "d", "g", limits)).as("g gives one already").isEmpty();
        assertThat(take("h", "g", "a", limits)).as("other parts").isPresent();
        lease.release();
        assertThat(slots.taken(new MoveSlots.Slot(MoveSlots.MoveRole.TRANSFER, id("a"))))
                .isZero();
        assertThat(slots.taken(new MoveSlots.Slot(MoveSlots.MoveRole.SOURCE, id("a"))))
                .isEqualTo(1);
        assertThat(take("c", "b", "i", limits)).isPresent();
    }

    @Test
    void theClusterHasSoManyPlaces() {
        MoveSlots.Lease lease = take("a", "b", "g", limits(1, 9)).orElseThrow();

        assertThat(take("c", "d", "h", limits(1, 9))).isEmpty();
        lease.release();
        assertThat(take("c", "d", "h", limits(1, 9))).isPresent();
    }

    @Test
    void releasingTwiceIsReleasingOnce() {
        MoveSlots.Lease first = take("a", "b", "g", limits(9, 9)).orElseThrow();
        assertThat(take("a", "b", "g", limits(9, 9))).isPresent();

        first.release();
        first.release();

        assertThat(slots.taken()).isEqualTo(1);
        assertThat(slots.taken(new MoveSlots.Slot(MoveSlots.MoveRole.TRANSFER, id("a"))))
                .isEqualTo(1);
    }

    /** A late answer that says nothing finds it unanswered still. */
    @Test
    void whatIsNotAnsweredIsCountedApartOnce() {
        MoveSlots.Lease lease = take("a", "b", "g", limits(9, 9)).orElseThrow();
        Link into = new Link(LinkKind.RACK_IN, "/rack");
        Link outOf = new Link(LinkKind.RACK_OUT, "/other");
        DataNode elsewhere = new DataNode(id("d"), "d", "10.0.0.2", "/other", ServiceState.IN_SERVICE);
        MoveSlots.Lease over = slots.take(move(node("c"), elsewhere, elsewhere), elsewhere, limits(9, 9))
                .orElseThrow();
        assertThat(List.of(slots.taken(into), slots.taken(outOf))).containsExactly(1, 1);

        assertThat(over.unanswered()).contains(into, outOf);
        assertThat(over.unanswered()).isEmpty();
        assertThat(lease.unanswered()).as("within a rack").isEmpty();
        assertThat(List.of(slots.taken(into), slots.taken(outOf))).containsExactly(0, 0);
        assertThat(List.of(slots.unanswered(into), slots.unanswered(outOf))).containsExactly(1, 1);
        assertThat(slots.taken()).isEqualTo(2);

        assertThat(over.release()).contains(into, outOf);
        assertThat(List.of(slots.unanswered(into), slots.unanswered(outOf))).containsExactly(0, 0);
        assertThat(slots.taken()).isEqualTo(1);
    }

    private Optional<MoveSlots.Lease> take(String target, String proxy, String source, MoveLimits limits) {
        return slots.take(move(node(target), node(proxy), node(source)), node(proxy), limits);
    }

    private static BlockMove move(DataNode target, DataNode proxy, DataNode source) {
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f",
                new BlockId("pool", 1, 1),
                100,
                StorageType.DISK,
                source,
                List.of(proxy),
                target,
                3,
                2);
    }

    private static DataNode node(String name) {
        return new DataNode(id(name), name, "10.0.0.1", "/rack", ServiceState.IN_SERVICE);
    }

    private static DataNode.Id id(String name) {
        return new DataNode.Id(name);
    }

    private static MoveLimits limits(int concurrent, int perNode) {
        return new MoveLimits(
                concurrent,
                HealLimits.dataNodes(perNode, 0),
                0,
                0,
                1_000,
                1_000,
                3,
                1_000,
                new ExponentialBackoff(1, 1),
                0);
    }
}
