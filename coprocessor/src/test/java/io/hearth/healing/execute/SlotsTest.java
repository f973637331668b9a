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
    private static final DataNodeId D = new DataNodeId("d");

    private final Slots slots = new Slots();

    @Test
    void aDataNodeHasSoManyPlaces() {
        MoveLimits limits = limits(10, 2);

        assertThat(slots.take(Set.of(A, B), D, limits)).isPresent();
        assertThat(slots.take(Set.of(A, C), D, limits)).isPresent();
        assertThat(slots.take(Set.of(A, C), D, limits)).isEmpty();
        assertThat(slots.taken()).isEqualTo(2);
        assertThat(slots.copying(C)).as("a refused taking takes nothing").isEqualTo(1);
    }

    @Test
    void aGiverHasPlacesOfItsOwn() {
        MoveLimits limits = limits(10, 1);

        Slots.Lease lease = slots.take(Set.of(A, B), D, limits).orElseThrow();
        assertThat(slots.take(Set.of(C), D, limits)).as("gives one already").isEmpty();
        assertThat(slots.take(Set.of(C, D), B, limits))
                .as("copying is counted apart")
                .isPresent();
        lease.release();
        assertThat(slots.giving(D)).isZero();
        assertThat(slots.giving(B)).isEqualTo(1);
    }

    @Test
    void theClusterHasSoManyPlaces() {
        Slots.Lease lease = slots.take(Set.of(A), D, limits(1, 9)).orElseThrow();

        assertThat(slots.take(Set.of(B), D, limits(1, 9))).isEmpty();
        lease.release();
        assertThat(slots.take(Set.of(B), D, limits(1, 9))).isPresent();
    }

    @Test
    void releasingTwiceIsReleasingOnce() {
        Slots.Lease first = slots.take(Set.of(A), D, limits(9, 9)).orElseThrow();
        assertThat(slots.take(Set.of(A), D, limits(9, 9))).isPresent();

        first.release();
        first.release();

        assertThat(slots.taken()).isEqualTo(1);
        assertThat(slots.copying(A)).isEqualTo(1);
    }

    private static MoveLimits limits(int concurrent, int perNode) {
        return new MoveLimits(concurrent, perNode, 0, 1_000, 1_000, 3, 3, new BackOff(1, 1), 0);
    }
}
