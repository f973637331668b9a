package io.hearth.healing.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.model.DataNodeId;
import io.hearth.healing.trigger.BackOff;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotsTest {

    private static final DataNodeId A = new DataNodeId("a");
    private static final DataNodeId B = new DataNodeId("b");
    private static final DataNodeId C = new DataNodeId("c");

    private final Slots slots = new Slots();

    @Test
    void aDataNodeHasSoManyPlaces() {
        MoveLimits limits = limits(10, 2);

        assertThat(slots.take(Set.of(A, B), limits)).isPresent();
        assertThat(slots.take(Set.of(A, C), limits)).isPresent();
        assertThat(slots.take(Set.of(A, C), limits)).isEmpty();
        assertThat(slots.taken()).isEqualTo(2);
        assertThat(slots.taken(C)).as("a refused taking takes nothing").isEqualTo(1);
    }

    @Test
    void theClusterHasSoManyPlaces() {
        Slots.Lease lease = slots.take(Set.of(A), limits(1, 9)).orElseThrow();

        assertThat(slots.take(Set.of(B), limits(1, 9))).isEmpty();
        lease.release();
        assertThat(slots.take(Set.of(B), limits(1, 9))).isPresent();
    }

    @Test
    void releasingTwiceIsReleasingOnce() {
        Slots.Lease first = slots.take(Set.of(A), limits(9, 9)).orElseThrow();
        assertThat(slots.take(Set.of(A), limits(9, 9))).isPresent();

        first.release();
        first.release();

        assertThat(slots.taken()).isEqualTo(1);
        assertThat(slots.taken(A)).isEqualTo(1);
    }

    private static MoveLimits limits(int concurrent, int perNode) {
        return new MoveLimits(concurrent, perNode, 0, 1_000, 1_000, 3, 3, new BackOff(1, 1));
    }
}
