// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BestCandidateTest {

    private record Offer(int region, int taken, int to, double net) {}

    private final BestCandidate candidate = new BestCandidate();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theTwoBestAreKeptAndOfEqualOnesTheFirst(long seed) {
        Random random = new Random(seed);
        List<Offer> offers = new ArrayList<>();
        for (int number = 0; number < 30; number++) {
            Offer offer = new Offer(
                    number,
                    random.nextBoolean() ? BestCandidate.NONE : 100 + number,
                    random.nextInt(9),
                    random.nextInt(12));
            offers.add(offer);
            candidate.offerSwap(offer.region(), offer.taken(), offer.to(), offer.net());
            List<Offer> best = offers.stream()
                    .sorted(Comparator.comparingDouble((Offer each) -> -each.net()))
                    .toList();

            assertThat(candidate.isEmpty()).isFalse();
            assertThat(new Offer(candidate.region, candidate.taken, candidate.to, candidate.net))
                    .as("seed %d: %s", seed, offers)
                    .isEqualTo(best.get(0));
            if (number > 0) {
                assertThat(offers.get(candidate.secondRegion).net())
                        .isEqualTo(best.get(1).net());
                assertThat(candidate.secondTo)
                        .isEqualTo(offers.get(candidate.secondRegion).to());
            }
        }
    }

    @Test
    void aMoveAloneTakesNoRegionAndWhatIsClearedIsForgotten() {
        candidate.offerSwap(1, 2, 3, 5);
        candidate.offer(4, 6, 7);
        assertThat(candidate.taken).isEqualTo(BestCandidate.NONE);

        candidate.clear();

        assertThat(candidate).usingRecursiveComparison().isEqualTo(new BestCandidate());
        assertThat(candidate.isEmpty()).isTrue();
        candidate.offer(8, 9, -3);
        candidate.offer(9, 9, -4);
        assertThat(candidate.region).isEqualTo(8);
        assertThat(candidate.secondRegion).isEqualTo(9);
        assertThat(candidate.wouldKeep(-3.5)).as("as the second").isTrue();
        assertThat(candidate.wouldKeep(-4)).isFalse();
    }
}
