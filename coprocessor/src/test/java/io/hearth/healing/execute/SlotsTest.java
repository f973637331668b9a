package io.hearth.healing.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.StorageType;
import io.hearth.healing.trigger.BackOff;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlotsTest {

    private final Slots slots = new Slots();

    @Test
    void aDataNodeHasSoManyPlacesForEachPart() {
        MoveLimits limits = limits(10, 2);

        assertThat(take("a", "b", "g", limits)).isPresent();
        assertThat(take("a", "c", "h", limits)).isPresent();
        assertThat(take("a", "d", "i", limits)).as("a is a target twice").isEmpty();
        assertThat(take("d", "a", "i", limits))
                .as("what a sends goes the other way")
                .isPresent();
        assertThat(slots.taken()).isEqualTo(3);
        assertThat(slots.taken(new Slots.Place(Slots.Part.PROXY, id("d"))))
                .as("a refused taking takes nothing")
                .isZero();
    }

    @Test
    void proxiesAndGiversHavePlacesToo() {
        MoveLimits limits = limits(10, 1);

        Slots.Lease lease = take("a", "b", "g", limits).orElseThrow();
        assertThat(take("c", "b", "h", limits)).as("b is copied from").isEmpty();
        assertThat(take("c", "d", "g", limits)).as("g gives one already").isEmpty();
        assertThat(take("b", "g", "a", limits)).as("other parts").isPresent();
        lease.release();
        assertThat(slots.taken(new Slots.Place(Slots.Part.TARGET, id("a")))).isZero();
        assertThat(slots.taken(new Slots.Place(Slots.Part.GIVER, id("a")))).isEqualTo(1);
        assertThat(take("c", "b", "g", limits)).isPresent();
    }

    @Test
    void theClusterHasSoManyPlaces() {
        Slots.Lease lease = take("a", "b", "g", limits(1, 9)).orElseThrow();

        assertThat(take("c", "d", "h", limits(1, 9))).isEmpty();
        lease.release();
        assertThat(take("c", "d", "h", limits(1, 9))).isPresent();
    }

    @Test
    void releasingTwiceIsReleasingOnce() {
        Slots.Lease first = take("a", "b", "g", limits(9, 9)).orElseThrow();
        assertThat(take("a", "b", "g", limits(9, 9))).isPresent();

        first.release();
        first.release();

        assertThat(slots.taken()).isEqualTo(1);
        assertThat(slots.taken(new Slots.Place(Slots.Part.TARGET, id("a")))).isEqualTo(1);
    }

    private Optional<Slots.Lease> take(String target, String proxy, String giver, MoveLimits limits) {
        BlockMove move = new BlockMove(
                new RegionId("r"),
                "/f",
                new BlockId("pool", 1, 1),
                100,
                StorageType.DISK,
                node(giver),
                List.of(node(proxy)),
                node(target),
                3,
                2);
        return slots.take(move, node(proxy), limits);
    }

    private static DataNode node(String name) {
        return new DataNode(id(name), name, "10.0.0.1", "/rack", ServiceState.IN_SERVICE);
    }

    private static DataNodeId id(String name) {
        return new DataNodeId(name);
    }

    private static MoveLimits limits(int concurrent, int perNode) {
        return new MoveLimits(concurrent, perNode, 0, 1_000, 1_000, 3, 1_000, new BackOff(1, 1), 0);
    }
}
