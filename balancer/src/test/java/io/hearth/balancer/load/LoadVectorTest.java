package io.hearth.balancer.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LoadVectorTest {

    @Test
    void holdsOneValueADimension() {
        LoadVector load = LoadVector.of(1, 2, 3, 4);

        assertThat(load.get(LoadDimension.READS)).isEqualTo(1);
        assertThat(load.get(LoadDimension.WRITES)).isEqualTo(2);
        assertThat(load.get(LoadDimension.STORE_SIZE)).isEqualTo(3);
        assertThat(load.get(LoadDimension.MEMSTORE)).isEqualTo(4);
        assertThat(load)
                .isEqualTo(LoadVector.of(1, 2, 3, 4))
                .isNotEqualTo(LoadVector.of(1, 2, 3))
                .isNotEqualTo(LoadVector.ZERO);
        assertThat(load).hasToString("[reads 1.0 ops/s, writes 2.0 ops/s, store size 3.0 bytes, memstore 4.0 bytes]");
    }

    @Test
    void refusesWhatIsNoLoad() {
        assertThatThrownBy(() -> LoadVector.of(0, -1, 0))
                .hasMessage("The load in writes is -1.0: it must be finite and at least 0.");
        assertThatThrownBy(() -> LoadVector.of(Double.NaN, 0, 0))
                .hasMessage("The load in reads is NaN: it must be finite and at least 0.");
        assertThatThrownBy(() -> LoadVector.of(0, 0, Double.POSITIVE_INFINITY))
                .hasMessage("The load in store size is Infinity: it must be finite and at least 0.");
    }
}
