package io.hearth.sim.scenario;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.sim.scenario.Expectation.BytesMoved;
import io.hearth.sim.scenario.Expectation.MaxOverMean;
import io.hearth.sim.scenario.Expectation.Moves;
import io.hearth.sim.scenario.Expectation.MovesInAny;
import io.hearth.sim.scenario.Expectation.MovesOfOneRegion;
import io.hearth.sim.scenario.Expectation.MovesTo;
import io.hearth.sim.scenario.Expectation.ReplicasApart;
import io.hearth.sim.scenario.Expectation.Returns;
import io.hearth.sim.scenario.Expectation.SaysSplit;
import io.hearth.sim.scenario.Expectation.SomeMoves;
import io.hearth.sim.scenario.Expectation.Stays;
import io.hearth.sim.scenario.Sentence.Words;
import java.util.ArrayList;
import java.util.List;

/** The expectations of a scenario while its file is being read. Not thread-safe; used once. */
final class ExpectationDraft {

    /** Looks whether a table has a region. */
    interface RegionCheck {
        void require(String table, int region) throws ScenarioProblem;
    }

    private static final String SPAN = "(?: from <from>(?: to <to>)?)?";

    private final RegionCheck regions;
    private final List<Expectation> expectations = new ArrayList<>();

    ExpectationDraft(RegionCheck regions) {
        this.regions = regions;
    }

    List<Expectation> all() {
        return expectations;
    }

    List<Sentence> sentences() {
        return List.of(
                Sentence.of(
                        "max/mean of reads|writes|store size is at most|at least X [from TIME [to TIME]]",
                        "max/mean of <what> is at (?<relation>most|least) <decimal>" + SPAN,
                        words -> expectations.add(new MaxOverMean(
                                words.line(),
                                dimension(words),
                                words.decimal("decimal"),
                                words.text("relation").equals("most"),
                                span(words)))),
                Sentence.of(
                        "nothing moves [from TIME [to TIME]]",
                        "nothing moves" + SPAN,
                        words -> expectations.add(new Moves(words.line(), 0, span(words)))),
                Sentence.of(
                        "at most N moves [from TIME [to TIME]]",
                        "at most <n> moves?" + SPAN,
                        words -> expectations.add(new Moves(words.line(), words.count("n"), span(words)))),
                Sentence.of(
                        "nothing moves to server N [from TIME [to TIME]]",
                        "nothing moves to server <server>" + SPAN,
                        words -> expectations.add(new MovesTo(words.line(), 0, words.count("server"), span(words)))),
                Sentence.of(
                        "at least N moves [from TIME [to TIME]]",
                        "at least <n> moves?" + SPAN,
                        words -> expectations.add(new SomeMoves(words.line(), words.count("n"), span(words)))),
                Sentence.of(
                        "at most N GB are moved [from TIME [to TIME]]",
                        "at most <n> GB are moved" + SPAN,
                        words -> expectations.add(
                                new BytesMoved(words.line(), (long) words.count("n") << 30, span(words)))),
                Sentence.of(
                        "at most N moves in any TIME",
                        "at most <n> moves? in any <within>",
                        words -> expectations.add(
                                new MovesInAny(words.line(), words.count("n"), words.millis("within")))),
                Sentence.of(
                        "no region moves more than once|N times [in any TIME]",
                        "no region moves more than (?:once|<n> times)(?: in any <within>)?",
                        words -> expectations.add(new MovesOfOneRegion(
                                words.line(), words.has("n") ? words.count("n") : 1, within(words)))),
                Sentence.of(
                        "no region goes to and fro [within TIME]",
                        "no region goes to and fro(?: within <within>)?",
                        words -> expectations.add(new Returns(words.line(), 0, within(words)))),
                Sentence.of(
                        "at most N times a region goes to and fro [within TIME]",
                        "at most <n> times a region goes to and fro(?: within <within>)?",
                        words -> expectations.add(new Returns(words.line(), words.count("n"), within(words)))),
                Sentence.of(
                        "region N of TABLE stays where it is [from TIME [to TIME]]",
                        "region <region> of <table> stays where it is" + SPAN,
                        this::stays),
                Sentence.of(
                        "replicas of a region never share a server",
                        "replicas of a region never share a server",
                        words -> expectations.add(new ReplicasApart(words.line()))),
                Sentence.of(
                        "the balancer says: split region N of TABLE",
                        "the balancer says: split region <region> of <table>",
                        this::saysSplit));
    }

    private void stays(Words words) throws ScenarioProblem {
        regions.require(words.text("table"), words.count("region"));
        expectations.add(new Stays(words.line(), words.text("table"), words.count("region"), span(words)));
    }

    private void saysSplit(Words words) throws ScenarioProblem {
        regions.require(words.text("table"), words.count("region"));
        expectations.add(new SaysSplit(words.line(), words.text("table"), words.count("region")));
    }

    private static long within(Words words) {
        return words.has("within") ? words.millis("within") : Long.MAX_VALUE;
    }

    private static Span span(Words words) {
        if (!words.has("from")) {
            return Span.ALWAYS;
        }
        return new Span(words.millis("from"), words.has("to") ? words.millis("to") : Long.MAX_VALUE);
    }

    static LoadDimension dimension(Words words) {
        return switch (words.text("what")) {
            case "reads" -> LoadDimension.READS;
            case "writes" -> LoadDimension.WRITES;
            case "store size" -> LoadDimension.STORE_SIZE;
            default -> throw new IllegalArgumentException(words.text("what") + " is no dimension.");
        };
    }
}
