// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.MovePlan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestedHealsTest {

    private static final long BYTES = 100;

    private final RequestedHeals heals = new RequestedHeals();

    @Test
    void aHealHasTheMovesOfItsRegionsAndOfNoOthers() {
        String id = add("r", "s");
        plan("r", 1, 2, 3);
        plan("other", 4);
        end("r", 1, MoveState.VERIFIED);
        end("r", 2, MoveState.REVERTED);
        end("other", 4, MoveState.FAILED);

        assertThat(heals.newestFirst()).containsExactly(new HealCounts(id, 1, 1, BYTES, 1, OptionalLong.of(0)));
        end("r", 3, MoveState.CANCELLED);
        assertThat(heals.newestFirst()).containsExactly(new HealCounts(id, 0, 1, BYTES, 1, OptionalLong.of(0)));
    }

    /** The healer was at it before somebody asked, as after any move of a region. */
    @Test
    void whatWasOpenWhenItWasAskedForIsItsToo() {
        plan("r", 1, 2);
        end("r", 1, MoveState.VERIFIED);
        String id = add("r");
        end("r", 2, MoveState.VERIFIED);

        assertThat(heals.newestFirst()).containsExactly(new HealCounts(id, 0, 1, BYTES, 0, OptionalLong.of(0)));
    }

    @Test
    void twoHealsOfOneRegionBothHaveItsMoves() {
        String first = add("r");
        String second = add("r");
        plan("r", 1);
        end("r", 1, MoveState.VERIFIED);

        assertThat(heals.newestFirst())
                .containsExactly(
                        new HealCounts(second, 0, 1, BYTES, 0, OptionalLong.of(0)),
                        new HealCounts(first, 0, 1, BYTES, 0, OptionalLong.of(0)));
    }

    @Test
    void aHealThatIsAskedForInPartsIsOne() {
        String id = add("r");
        assertThat(heals.add(Optional.of(id), names("s"))).isEqualTo(id);
        plan("s", 1);

        assertThat(heals.newestFirst()).containsExactly(new HealCounts(id, 1, 0, 0, 0, OptionalLong.of(0)));
        assertThat(heals.add(Optional.of("of the master before"), names("t"))).isNotEqualTo(id);
        assertThat(heals.newestFirst()).hasSize(2);
    }

    @Test
    void theMovesOfALoopThatFailedAreNotOpenForEver() {
        String id = add("r");
        plan("r", 1, 2);
        end("r", 1, MoveState.VERIFIED);
        heals.startedOver();

        assertThat(heals.newestFirst()).containsExactly(new HealCounts(id, 0, 1, BYTES, 0, OptionalLong.of(0)));
    }

    @Test
    void bytesAcrossRacksAreThoseOfItsRegions() {
        String id = add("r");
        heals.copiedAcrossRacks(move("r", 1), 70);
        heals.copiedAcrossRacks(move("other", 2), 500);
        heals.copiedAcrossRacks(move("r", 3), 7);

        assertThat(heals.newestFirst()).containsExactly(new HealCounts(id, 0, 0, 0, 0, OptionalLong.of(77)));
    }

    @Test
    void theOldestAreForgotten() {
        List<String> ids = IntStream.range(0, 120).mapToObj(i -> add("r" + i)).toList();
        assertThat(heals.newestFirst())
                .hasSize(100)
                .first()
                .extracting(HealCounts::id)
                .isEqualTo(ids.get(119));

        String[] most = IntStream.range(0, 999_990).mapToObj(i -> "m" + i).toArray(String[]::new);
        add(most);
        assertThat(heals.newestFirst())
                .as("the big one and ten of a region each")
                .hasSize(11);
        String bigger = add(IntStream.range(0, 1_000_001).mapToObj(i -> "n" + i).toArray(String[]::new));
        assertThat(heals.newestFirst())
                .as("the newest is never forgotten")
                .extracting(HealCounts::id)
                .containsExactly(bigger);
    }

    private String add(String... regions) {
        return heals.add(Optional.empty(), names(regions));
    }

    private static List<EncodedRegionName> names(String... regions) {
        return Arrays.stream(regions).map(EncodedRegionName::new).toList();
    }

    private void plan(String region, long... blocks) {
        List<BlockMove> moves =
                Arrays.stream(blocks).mapToObj(block -> move(region, block)).toList();
        ServedRegion served = new ServedRegion(
                new EncodedRegionName(region),
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                new ServerId("a1", 16020, 1),
                Optional.empty());
        heals.planned(served, new MovePlan(moves, Map.of(), 0, BYTES * blocks.length), moves);
    }

    private void end(String region, long block, MoveState end) {
        heals.ended(move(region, block), end);
    }

    private static BlockMove move(String region, long block) {
        return new BlockMove(
                new EncodedRegionName(region),
                "/" + region,
                new BlockId("pool", block, 1),
                BYTES,
                StorageType.DISK,
                Racks.node("b1"),
                List.of(Racks.node("b1")),
                Racks.node("a1"),
                3,
                2);
    }
}
