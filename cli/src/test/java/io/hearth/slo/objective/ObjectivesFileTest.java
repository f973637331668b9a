// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectivesFileTest {

    @Test
    void eachLineIsAnObjective() {
        ObjectivesFile file = ObjectivesFile.parse(
                """
                # What was promised.
                99.95 % of gets under 50 ms, 30 days

                orders:  99.9% of  Row  Gets under 0.2 s , 7 days  # their dashboards
                99 % of hdfs writes under 1.5 s, 1 day
                99.999999 % of registry reads under 800 us, 35 days
                """,
                "objectives.txt");

        assertThat(file.problems()).isEmpty();
        assertThat(file.objectives())
                .containsExactly(
                        new Objective("gets-50ms-30d", ProbeKind.GET, new BigDecimal("99.95"), 50_000, 30),
                        new Objective("orders", ProbeKind.ROW_GET, new BigDecimal("99.9"), 200_000, 7),
                        new Objective(
                                "hdfs-writes-1500ms-1d", ProbeKind.HDFS_WRITE, new BigDecimal("99"), 1_500_000, 1),
                        new Objective(
                                "registry-reads-0-8ms-35d", ProbeKind.REGISTRY, new BigDecimal("99.999999"), 800, 35));
        assertThat(file.objectives())
                .map(Objective::toString)
                .containsExactly(
                        "99.95 % of gets under 50 ms, 30 days",
                        "99.9 % of row gets under 200 ms, 7 days",
                        "99 % of hdfs writes under 1500 ms, 1 day",
                        "99.999999 % of registry reads under 0.8 ms, 35 days");
        assertThat(file.objectives().get(0).badShare()).isEqualTo(new BigDecimal("0.0005"));
        assertThat(file.objectives().get(3).badShare()).isEqualTo(new BigDecimal("0.00000001"));
        assertThat(file.limits().of(ProbeKind.GET)).containsExactly(50_000L);
        assertThat(file.limits().of(ProbeKind.PUT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gets quickly|'gets quickly' can't be used: it must be like '99.95 % of gets under 50 ms, 30 days'"
                        + " or 'name: 99.95 % of gets under 50 ms, 30 days'",
                "99,95 % of gets under 50 ms, 30 days|'99,95 % of gets under 50 ms, 30 days' can't be used: it must be like"
                        + " '99.95 % of gets under 50 ms, 30 days' or 'name: 99.95 % of gets under 50 ms, 30 days'",
                "100 % of gets under 50 ms, 30 days|100 % can't be promised: it must be more than 0 and less than 100,"
                        + " with up to 6 decimals",
                "0 % of gets under 50 ms, 30 days|0 % can't be promised: it must be more than 0 and less than 100,"
                        + " with up to 6 decimals",
                "99.9999999 % of gets under 50 ms, 30 days|99.9999999 % can't be promised: it must be more than 0 and"
                        + " less than 100, with up to 6 decimals",
                "99 % of scans under 50 ms, 30 days|'scans' are not probed: it must be one of gets, puts, row gets,"
                        + " hdfs writes, hdfs reads, namenode calls, registry reads",
                "99 % of gets under 0 ms, 30 days|0 ms can't be a limit: it must be 1 us to 60 s, in whole us",
                "99 % of gets under 61 s, 30 days|61 s can't be a limit: it must be 1 us to 60 s, in whole us",
                "99 % of gets under 0.5 us, 30 days|0.5 us can't be a limit: it must be 1 us to 60 s, in whole us",
                "99 % of gets under 50 ms, 0 days|0 days can't be used: it must be 1 to 35,"
                        + " since counts are kept for 35 days",
                "99 % of gets under 50 ms, 90 days|90 days can't be used: it must be 1 to 35,"
                        + " since counts are kept for 35 days",
                "9x: 99 % of gets under 50 ms, 30 days|'9x' can't be a name: it must be up to 40 small letters, digits"
                        + " and dashes, and begin with a letter",
                ": 99 % of gets under 50 ms, 30 days|'' can't be a name: it must be up to 40 small letters, digits"
                        + " and dashes, and begin with a letter",
                "gets: 99 % of gets under 50 ms, 30 days|line 1 has the name 'gets' already",
            })
    void aLineThatCanNotBeUsedIsLeftOutAndTheOthersHold(String line, String message) {
        ObjectivesFile file = ObjectivesFile.parse(
                "gets: 99 % of gets under 5 ms, 30 days\n" + line + "\n99 % of puts under 5 ms, 30 days", "o.txt");

        assertThat(file.problems())
                .containsExactly("o.txt, line 2: " + message + ". This line is left out, the others hold.");
        assertThat(file.objectives()).map(Objective::name).containsExactly("gets", "puts-5ms-30d");
    }

    @Test
    void noMoreThanFiftyObjectivesAreTaken() {
        String text = IntStream.rangeClosed(1, 51)
                .mapToObj(ms -> "99 % of gets under " + ms + " ms, 30 days\n")
                .collect(Collectors.joining());

        ObjectivesFile file = ObjectivesFile.parse(text, "o.txt");

        assertThat(file.objectives()).hasSize(50);
        assertThat(file.problems())
                .containsExactly("o.txt, line 51: there are more than 50 objectives."
                        + " This line is left out, the others hold.");
    }

    @Test
    void everyKindHasAName() {
        for (ProbeKind kind : ProbeKind.values()) {
            ObjectivesFile file =
                    ObjectivesFile.parse("99 % of " + ObjectivesFile.noun(kind) + " under 5 ms, 30 days", "o.txt");
            assertThat(file.objectives()).map(Objective::kind).isEqualTo(List.of(kind));
        }
    }

    @Test
    void goodIsAnsweredWithinTheLimit() {
        Objective objective = ObjectivesFile.parse("99 % of gets under 50 ms, 30 days", "o.txt")
                .objectives()
                .get(0);

        assertThat(objective.isGood(probe(50_000, Outcome.ANSWERED))).isTrue();
        assertThat(objective.isGood(probe(50_001, Outcome.ANSWERED))).isFalse();
        assertThat(objective.isGood(probe(1, Outcome.FAILED))).isFalse();
        assertThat(objective.isGood(probe(1, Outcome.TIMED_OUT))).isFalse();
        assertThat(objective.isGood(probe(0, Outcome.NOT_SENT))).isFalse();
        assertThat(objective.concerns(probe(1, Outcome.ANSWERED))).isTrue();
        assertThat(objective.concerns(new ProbeResult(ProbeKind.PUT, "h", 0, 1, Outcome.ANSWERED)))
                .isFalse();
    }

    private static ProbeResult probe(long micros, Outcome outcome) {
        return new ProbeResult(ProbeKind.GET, "h", 0, micros, outcome);
    }
}
