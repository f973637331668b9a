// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.TrackedMove.MoveState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The executor asks only those moves that something may have let go: it starts what asking all of them would start. */
class MoveExecutorPropertyTest {

    private static final List<Response> ANSWERS = List.of(
            Response.COPIED,
            Response.COPIED,
            Response.COPIED,
            Response.BUSY,
            Response.PROXY_BUSY,
            Response.FAILED,
            Response.REFUSED,
            Response.UNDER_WAY,
            Response.TIMED_OUT);

    /** What one call of the executor turned out to ask for, and the answer that it gets. */
    private final BlockMover mover = new BlockMover() {
        @Override
        public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
            askedMove = move;
            askedProxy = proxy;
            return nextAnswer;
        }

        @Override
        public Optional<String> missingPrivilege() {
            return Optional.empty();
        }
    };

    private final List<Runnable> calls = new ArrayList<>();
    private final List<TrackedMove> running = new ArrayList<>();
    private final MoveExecutor executor = new MoveExecutor(mover, calls::add);
    private final NaiveExecutor naive = new NaiveExecutor();
    private MoveResult nextAnswer = MoveResult.of(Response.COPIED);
    private @Nullable BlockMove askedMove;
    private @Nullable DataNode askedProxy;
    private long blocks;

    /** All is copied in the end, and for some time late, or not answered in time: uplinks are found slow. */
    private boolean isSlow;

    private static int narrowed;

    static IntStream seeds() {
        return IntStream.range(0, 60 * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @AfterAll
    static void someUplinksWereFoundSlow() {
        assertThat(narrowed).isGreaterThan(10);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void startsWhatAskingEveryMoveWouldStart(int seed) {
        Random random = new Random(seed);
        isSlow = seed % 3 == 0;
        int hosts = (isSlow ? 12 : 4) + random.nextInt(20);
        int files = 1 + random.nextInt(10);
        long nowMs = 1_000_000;
        int starts = 0;
        MoveLimits limits = limits(random);
        for (int turn = 0; turn < (isSlow ? 300 : 150); turn++, nowMs += random.nextInt(400)) {
            String where = "seed " + seed + ", turn " + turn;
            submitSome(hosts, files, random, nowMs);
            cancelOne(random, nowMs);
            concludeSome(random, limits, nowMs);
            limits = random.nextInt(30) == 0 ? limits(random) : limits;
            answerSome(isSlow && turn % 75 < 50 ? 30 : 3, random, limits, nowMs, where);

            List<TrackedMove> started = naive.start(limits, nowMs);
            executor.doWork(limits, true, nowMs);
            narrowed += executor.takeNarrowedUplinks().size();

            running.addAll(started);
            starts += started.size();
            assertThat(calls).as(where).hasSameSizeAs(running);
            assertThat(executor.count(MoveState.TIMED_OUT)).as(where).isEqualTo(naive.timedOut());
            assertThat(executor.count(MoveState.PLANNED)).as(where).isEqualTo(naive.planned());
            assertThat(executor.running()).as(where).isEqualTo(naive.running());
        }
        assertThat(starts).as("seed %d", seed).isPositive();
    }

    private void submitSome(int hosts, int files, Random random, long nowMs) {
        for (int more = random.nextInt(6); more > 0; more--) {
            BlockMove move = move(blocks++, isSlow ? 40 : 1_000, hosts, files, random);
            assertThat(executor.submit(List.of(move), nowMs)).hasSize(1);
            naive.submit(move, nowMs);
        }
    }

    private void cancelOne(Random random, long nowMs) {
        if (blocks > 0 && random.nextInt(5) == 0) {
            BlockId which = blockId(random.nextLong(blocks));
            executor.cancelPlanned(move -> move.block().equals(which), "", nowMs);
            naive.cancelPlanned(which, nowMs);
        }
    }

    private void concludeSome(Random random, MoveLimits limits, long nowMs) {
        for (TrackedMove tracked : executor.awaitingNameNode()) {
            if (random.nextInt(4) == 0) {
                executor.conclude(tracked.move().block(), MoveState.VERIFIED, "", nowMs);
                naive.conclude(tracked.move().block(), limits.readerLocationsMaxAgeMs(), nowMs);
            }
        }
    }

    /** @param oneOf how many turns an answer takes, on average */
    private void answerSome(int oneOf, Random random, MoveLimits limits, long nowMs, String where) {
        for (int number = calls.size() - 1; number >= 0; number--) {
            if (random.nextInt(oneOf) == 0) {
                TrackedMove tracked = running.remove(number);
                nextAnswer = MoveResult.of(isSlow ? ofSlow(random) : ANSWERS.get(random.nextInt(ANSWERS.size())));
                calls.remove(number).run();
                assertThat(askedMove).as(where).isEqualTo(tracked.move());
                assertThat(askedProxy).as(where).isEqualTo(tracked.proxy());
                naive.answered(tracked, nextAnswer, limits, nowMs);
            }
        }
    }

    private static Response ofSlow(Random random) {
        return random.nextInt(10) == 0 ? Response.ALREADY_THERE : Response.COPIED;
    }

    private MoveLimits limits(Random random) {
        return new MoveLimits(
                2 + random.nextInt(20),
                HealLimits.dataNodes(
                        1 + random.nextInt(4), !isSlow && random.nextBoolean() ? 0 : 300 + random.nextInt(1_000)),
                random.nextBoolean() ? 0 : 500 + random.nextInt(3_000),
                random.nextBoolean() ? 0 : 500 + random.nextInt(1_000),
                random.nextBoolean() ? Long.MAX_VALUE / 4 : 1_000 + random.nextInt(10_000),
                1,
                3,
                5_000,
                new ExponentialBackoff(100, 1_000),
                1 + random.nextInt(3_000));
    }

    private static BlockMove move(long number, int mostBytes, int hosts, int files, Random random) {
        List<DataNode> nodes = new ArrayList<>(IntStream.range(0, hosts)
                .mapToObj(host -> node("abc".charAt(host % 3) + Integer.toString(host)))
                .toList());
        Collections.shuffle(nodes, random);
        List<DataNode> holders = nodes.subList(0, 1 + random.nextInt(3));
        return new BlockMove(
                new EncodedRegionName("r"),
                "/f" + random.nextInt(files),
                blockId(number),
                1 + random.nextInt(mostBytes),
                StorageType.DISK,
                holders.get(random.nextInt(holders.size())),
                holders,
                nodes.get(3),
                holders.size(),
                2);
    }
}
