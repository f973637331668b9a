package io.hearth.healing.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.DataNode;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.Replica;
import io.hearth.healing.model.ServiceState;
import io.hearth.healing.model.StoreFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockMovePlannerPropertyTest {

    private static final int LAYOUTS = 1_200;

    private final BlockMovePlanner planner = new BlockMovePlanner(new RackRule());

    static LongStream seeds() {
        return LongStream.range(0, LAYOUTS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyMoveKeepsWhatMustBeKept(long seed) {
        RandomLayout layout = RandomLayout.of(seed);
        Map<Long, BlockReplicas> before = blocks(layout.files());

        for (BlockMove move : plan(layout).moves()) {
            BlockReplicas was = Objects.requireNonNull(before.get(move.block().number()));
            BlockReplicas is = after(was, move);
            String what = "seed " + seed + ": " + move + " of " + was;

            assertThat(was.isHeldBy(move.giver().id())).as(what).isTrue();
            assertThat(was.isHeldBy(move.target().id())).as(what).isFalse();
            assertThat(move.target().isOn(layout.host())).as(what).isTrue();
            assertThat(move.target().state()).as(what).isEqualTo(ServiceState.IN_SERVICE);
            assertThat(is.replicas()).as(what).hasSameSizeAs(was.replicas()).hasSize(move.replication());
            assertThat(is.racks()).as(what).isGreaterThanOrEqualTo(was.racks());
            assertThat(storageTypes(is)).as(what).isEqualTo(storageTypes(was));
            assertThat(move.proxies())
                    .as(what)
                    .isNotEmpty()
                    .allMatch(proxy -> was.isHeldBy(proxy.id()) && proxy.state() == ServiceState.IN_SERVICE);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyBlockIsMovedOrStaysForOneReason(long seed) {
        RandomLayout layout = RandomLayout.of(seed);
        MovePlan plan = plan(layout);

        long staying = plan.skippedByReason().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(plan.moves().size() + staying)
                .as("seed %d: %s", seed, layout)
                .isEqualTo(blocks(layout.files()).size());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOrderOfTheInputDoesNotMatter(long seed) {
        RandomLayout layout = RandomLayout.of(seed);

        assertThat(plan(shuffled(layout, new Random(~seed))))
                .as("seed %d: %s", seed, layout)
                .isEqualTo(plan(layout));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void planningWhatThePlanAchievedYieldsNoMove(long seed) {
        RandomLayout layout = RandomLayout.of(seed);

        MovePlan again = plan(applied(layout, plan(layout).moves(), move -> true));

        assertThat(again.moves()).as("seed %d: %s", seed, layout).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatFailedIsPlannedAgainAndNothingElse(long seed) {
        RandomLayout layout = RandomLayout.of(seed);
        List<BlockMove> moves = plan(layout).moves();
        Random luck = new Random(~seed);
        Map<BlockMove, Boolean> succeeds =
                moves.stream().collect(Collectors.toMap(Function.identity(), move -> luck.nextBoolean()));

        MovePlan again = plan(applied(layout, moves, move -> succeeds.getOrDefault(move, false)));

        assertThat(again.moves().stream().map(BlockMove::block))
                .as("seed %d: %s", seed, layout)
                .isEqualTo(moves.stream()
                        .filter(move -> !succeeds.getOrDefault(move, false))
                        .map(BlockMove::block)
                        .toList());
    }

    /** Guards the generator: a property of an empty plan proves nothing. */
    @Test
    void theLayoutsCallForMoves() {
        long withMoves = seeds().filter(
                        seed -> !plan(RandomLayout.of(seed)).moves().isEmpty())
                .count();

        assertThat(withMoves).isGreaterThan(LAYOUTS / 2);
    }

    private MovePlan plan(RandomLayout layout) {
        return planner.plan(PlanRequest.of(layout.region(), layout.host(), layout.files(), layout.nodes()));
    }

    private static Map<Long, BlockReplicas> blocks(RegionFiles files) {
        return files.files().stream()
                .flatMap(file -> file.blocks().stream())
                .collect(Collectors.toMap(block -> block.block().number(), Function.identity()));
    }

    private static List<String> storageTypes(BlockReplicas block) {
        return block.replicas().stream()
                .map(replica -> replica.storageType().name())
                .sorted()
                .toList();
    }

    private static BlockReplicas after(BlockReplicas block, BlockMove move) {
        List<Replica> replicas = new ArrayList<>(block.replicas());
        replicas.removeIf(replica -> replica.node().id().equals(move.giver().id()));
        replicas.add(new Replica(move.target(), move.storageType()));
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }

    private static RandomLayout applied(RandomLayout layout, List<BlockMove> moves, Predicate<BlockMove> succeeds) {
        Map<Long, BlockMove> done = moves.stream()
                .filter(succeeds)
                .collect(Collectors.toMap(move -> move.block().number(), Function.identity()));
        return withBlocks(
                layout,
                block -> done.containsKey(block.block().number())
                        ? after(block, done.get(block.block().number()))
                        : block);
    }

    private static RandomLayout withBlocks(RandomLayout layout, Function<BlockReplicas, BlockReplicas> change) {
        List<StoreFile> files = layout.files().files().stream()
                .map(file -> new StoreFile(
                        file.path(),
                        file.replication(),
                        file.striped(),
                        file.complete(),
                        file.blocks().stream().map(change).toList()))
                .toList();
        return new RandomLayout(layout.region(), layout.host(), RegionFiles.of(files), layout.nodes());
    }

    private static RandomLayout shuffled(RandomLayout layout, Random random) {
        List<StoreFile> files = layout.files().files().stream()
                .map(file -> new StoreFile(
                        file.path(),
                        file.replication(),
                        file.striped(),
                        file.complete(),
                        shuffled(
                                file.blocks().stream()
                                        .map(block -> new BlockReplicas(
                                                block.block(),
                                                block.lengthBytes(),
                                                shuffled(block.replicas(), random),
                                                block.corrupt()))
                                        .toList(),
                                random)))
                .toList();
        Collection<DataNode> nodes = layout.nodes().byId().values();
        return new RandomLayout(
                layout.region(),
                layout.host(),
                RegionFiles.of(shuffled(files, random)),
                DataNodes.of(shuffled(nodes, random)));
    }

    private static <T> List<T> shuffled(Collection<T> items, Random random) {
        List<T> copy = new ArrayList<>(items);
        Collections.shuffle(copy, random);
        return copy;
    }
}
