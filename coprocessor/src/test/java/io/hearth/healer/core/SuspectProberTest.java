// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.core.HealerServices.DataNodeProber.Answer;
import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SuspectProberTest {

    private final List<String> asked = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final SuspectProber prober = new SuspectProber(nodes -> {
        nodes.forEach(node -> asked.add(node.host()));
        List<Answer> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    });

    private static final List<DataNode> TEN =
            IntStream.range(0, 10).mapToObj(number -> Racks.node("a" + number)).toList();

    @Test
    void eachIsAskedEveryHalfMinute() {
        DataNode node = Racks.node("a1");
        for (long nowMs = 0; nowMs < 90_000; nowMs += 1_000) {
            answers.add(new Answer(node, true, 0));
            prober.probe(List.of(node), nowMs);
        }
        assertThat(asked).containsExactly("a1", "a1", "a1");
    }

    @Test
    void whatTheySayIsOfTheTimeAtWhichTheySaidIt() {
        answers.add(new Answer(Racks.node("a1"), true, 300));
        answers.add(new Answer(Racks.node("b1"), false, 200));

        assertThat(prober.probe(List.of(), 1_000))
                .containsExactly(
                        DataNodeObservation.byHealer("a1", Outcome.GOOD, "answers", 700),
                        DataNodeObservation.byHealer("b1", Outcome.FAILED, "does not answer", 800));
    }

    /** Broken (no limit): a thread for each DataNode of a cluster that is gone. */
    @Test
    void eightAreWaitedForAtATimeAndTheOthersFollow() {
        prober.probe(TEN, 0);
        assertThat(asked).hasSize(8).doesNotContain("a8", "a9");
        prober.probe(TEN, 1_000);
        assertThat(asked).hasSize(8);

        answers.add(new Answer(TEN.get(0), false, 0));
        prober.probe(TEN, 2_000);
        assertThat(asked).as("one at the next turn").hasSize(8);
        prober.probe(TEN, 3_000);
        assertThat(asked).endsWith("a8").hasSize(9);
    }

    @Test
    void whoWasAskedLongestAgoIsNext() {
        for (long nowMs = 0; nowMs < 120_000; nowMs += 1_000) {
            asked.clear();
            prober.probe(TEN, nowMs);
            asked.forEach(host -> answers.add(new Answer(Racks.node(host), true, 0)));
            if (nowMs == 2_000 || nowMs == 32_000) {
                assertThat(asked).as("at %d", nowMs).contains("a8", "a9");
            }
        }
    }

    @Test
    void oneWhoseAnswerIsLostIsAskedAgain() {
        prober.probe(List.of(TEN.get(0)), 0);
        prober.probe(List.of(TEN.get(0)), 59_000);
        assertThat(asked).hasSize(1);
        prober.probe(List.of(TEN.get(0)), 60_000);
        assertThat(asked).hasSize(2);
    }
}
