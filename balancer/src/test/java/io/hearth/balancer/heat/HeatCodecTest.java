package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeatCodecTest {

    private static RegionEntry entry(long number, double readsPerSecond) {
        Rates rates = new Rates(readsPerSecond, 1);
        return new RegionEntry(0, number, new PastHeat(60_000, rates, rates));
    }

    @Test
    void aRateThatNoServerCanHaveIsNotTakenOverAndTheOthersAre() {
        HeatSnapshot kept = new HeatSnapshot(1_000, List.of(entry(1, 100), entry(2, 1e13), entry(3, 300)));

        assertThat(HeatCodec.decode(HeatCodec.encode(kept)))
                .contains(new HeatSnapshot(1_000, List.of(entry(1, 100), entry(3, 300))));
    }
}
