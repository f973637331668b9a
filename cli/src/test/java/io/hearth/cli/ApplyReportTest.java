// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.client.PlanExecutor.MoveResult;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApplyReportTest {

    private static final SavedMove A = new SavedMove("a", "t", "h1,1,1", "h2,1,1");
    private static final SavedMove B = new SavedMove("b", "t", "h1,1,1", "h2,1,1");
    private static final SavedMove C = new SavedMove("c", "t", "h1,1,1", "h2,1,1");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private ApplyReport report(boolean json, int moves) {
        return new ApplyReport(new PrintWriter(out), new PrintWriter(err), json, moves);
    }

    @Test
    void everyMoveAndTheEndAreALineEach() {
        ApplyReport report = report(false, 2);
        report.ended(new MoveResult(A, Optional.empty()));
        report.ended(new MoveResult(B, Optional.of("the server is gone")));

        assertThat(report.end()).isEqualTo(ExitCode.INCOMPLETE);
        assertThat(out)
                .hasToString(
                        """
                1/2  a of t  h1,1,1 -> h2,1,1
                2/2  b of t  h1,1,1 -> h2,1,1  FAILED: the server is gone
                """);
        assertThat(err).hasToString("hearth balancer apply: 1 of 2 moves are made\n");
    }

    @Test
    void whatIsUnderWayWhenASignalComesIsNamedAndTheRestCounted() {
        ApplyReport report = report(false, 5);
        report.ended(new MoveResult(A, Optional.empty()));
        report.ended(new MoveResult(B, Optional.of("no")));
        report.stopped(List.of(B, C));

        assertThat(out.toString()).endsWith("under way  c of t  h1,1,1 -> h2,1,1\n");
        assertThat(err)
                .hasToString(
                        "hearth balancer apply: stopped: 1 of 5 moves are made, 1 failed, 1 are under way and the master"
                                + " ends them, 2 have not begun and do not any more\n");
    }

    @Test
    void afterTheEndNothingIsToldAnyMore() {
        ApplyReport report = report(true, 3);
        report.ended(new MoveResult(A, Optional.empty()));
        report.stopped(List.of(C));
        String told = out.toString();
        report.ended(new MoveResult(C, Optional.empty()));
        report.stopped(List.of());

        assertThat(out).hasToString(told);
        assertThat(told)
                .isEqualTo(
                        """
                        {"event":"move","region":"a","to":"h2,1,1","made":true}
                        {"event":"move","region":"c","to":"h2,1,1","underWay":true}
                        {"event":"stopped","message":"stopped: 1 of 3 moves are made, 1 are under way and the master ends them, 1 have not begun and do not any more"}
                        """);
        assertThat(err.toString()).isEmpty();
    }
}
