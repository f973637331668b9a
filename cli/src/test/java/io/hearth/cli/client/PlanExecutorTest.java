// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.client.PlanExecutor.MoveResult;
import io.hearth.cli.plan.SavedPlan;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanExecutorTest {

    private static final List<SavedMove> MOVES = IntStream.range(0, 250)
            .mapToObj(number -> new SavedMove("region" + number, "t", "a,1,1", "b,1,1"))
            .toList();

    /** What is told to it, in order; a move may come from any thread. */
    private static final class RecordedMaster implements PlanExecutor.Master {

        private int failsAt = -1;
        private Runnable onMove = () -> {};
        private final List<Integer> announced = new ArrayList<>();
        private final Set<SavedMove> known = new HashSet<>();
        private final List<SavedMove> made = new ArrayList<>();

        @Override
        public synchronized void announce(List<SavedMove> moves) throws IOException {
            if (announced.size() == failsAt) {
                throw new IOException("the master fails over");
            }
            assertThat(made).as("those before are made").hasSameSizeAs(known);
            announced.add(moves.size());
            known.addAll(moves);
        }

        @Override
        public synchronized void move(SavedMove move) throws IOException {
            made.add(move);
            onMove.run();
            if (!known.contains(move)) {
                throw new IOException("nobody has announced it");
            }
        }
    }

    private final RecordedMaster master = new RecordedMaster();
    private final PlanExecutor executor = new PlanExecutor(master);

    private static SavedPlan plan() {
        return SavedPlan.of(
                "cluster",
                7,
                Map.of("a,1,1", MOVES.stream().map(SavedMove::region).toList()),
                MOVES);
    }

    /** Broken (all are announced first): what is made more than six minutes later is pinned as a manual move. */
    @Test
    void aMoveIsAnnouncedJustBeforeItIsMade() throws Exception {
        List<MoveResult> ended = new ArrayList<>();

        executor.execute(plan(), ended::add);

        assertThat(master.announced).containsExactly(100, 100, 50);
        assertThat(ended).hasSize(250).allMatch(result -> result.failure().isEmpty());
        assertThat(master.made).containsExactlyInAnyOrderElementsOf(MOVES);
        assertThat(executor.inProgress()).isEmpty();
    }

    @Test
    void whatCannotBeAnnouncedIsNotMadeAndIsSaid() throws Exception {
        master.failsAt = 1;
        List<MoveResult> ended = new ArrayList<>();

        executor.execute(plan(), ended::add);

        assertThat(master.made).hasSize(100);
        assertThat(ended).hasSize(250);
        assertThat(ended.subList(100, 250))
                .allMatch(result -> result.failure().equals(Optional.of("the master fails over")));
    }

    @Test
    void whatHasNotBegunWhenItIsStoppedIsNotAnnouncedEither() throws Exception {
        List<MoveResult> ended = new ArrayList<>();

        master.onMove = executor::stop;

        executor.execute(plan(), ended::add);

        assertThat(master.announced).containsExactly(100);
        assertThat(master.made)
                .as("one, and what three other threads had begun")
                .hasSizeBetween(1, 4);
        assertThat(ended).hasSameSizeAs(master.made);
    }
}
