package io.hearth.sim.scenario;

import io.hearth.sim.scenario.ExpectationDraft.RegionCheck;
import io.hearth.sim.scenario.Scenario.Happening;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntSupplier;

/** What befalls the cluster of a scenario while its file is being read. Not thread-safe; used once. */
final class HappeningDraft {

    private final RegionCheck regions;
    private final IntSupplier serversAtFirst;
    private final List<Happening> happenings = new ArrayList<>();
    private int joining;

    HappeningDraft(RegionCheck regions, IntSupplier serversAtFirst) {
        this.regions = regions;
        this.serversAtFirst = serversAtFirst;
    }

    List<Happening> all() {
        return happenings;
    }

    List<Sentence> sentences() {
        return List.of(
                Sentence.of(
                        "at TIME server N crashes [and its regions go to server N]",
                        "at <at> server <server> crashes(?: and its regions go to server (?<target>\\d+))?",
                        words -> {
                            requireServer(words.count("server"));
                            happenings.add(new Happening.Crash(
                                    words.millis("at"),
                                    words.count("server"),
                                    words.has("target") ? OptionalInt.of(words.count("target")) : OptionalInt.empty()));
                        }),
                Sentence.of("at TIME server N returns", "at <at> server <server> returns", words -> {
                    requireServer(words.count("server"));
                    happenings.add(new Happening.Return(words.millis("at"), words.count("server")));
                }),
                Sentence.of(
                        "at TIME a new, empty server joins [of capacity X]",
                        "at <at> a new, empty server joins(?: of capacity <decimal>)?",
                        words -> {
                            joining++;
                            happenings.add(new Happening.Join(
                                    words.millis("at"), words.has("decimal") ? words.decimal("decimal") : 1));
                        }),
                Sentence.of("at TIME region N of TABLE splits", "at <at> region <region> of <table> splits", words -> {
                    regions.require(words.text("table"), words.count("region"));
                    happenings.add(new Happening.Split(words.millis("at"), words.text("table"), words.count("region")));
                }),
                Sentence.of(
                        "at TIME somebody moves region N of TABLE to server N",
                        "at <at> somebody moves region <region> of <table> to server <server>",
                        words -> {
                            regions.require(words.text("table"), words.count("region"));
                            requireServer(words.count("server"));
                            happenings.add(new Happening.HandMove(
                                    words.millis("at"),
                                    words.text("table"),
                                    words.count("region"),
                                    words.count("server")));
                        }),
                Sentence.of(
                        "at TIME server N serves N % of what it is asked for",
                        "at <at> server <server> serves <n> % of what it is asked for", words -> {
                            requireServer(words.count("server"));
                            ScenarioDraft.require(
                                    words.count("n") <= 100,
                                    "no server serves " + words.count("n") + " %; allowed are 0 to 100");
                            happenings.add(new Happening.Serves(
                                    words.millis("at"), words.count("server"), words.count("n") / 100.0));
                        }),
                Sentence.of(
                        "at TIME the master's clock goes TIME ahead|back",
                        "at <at> the master's clock goes <within> (?<way>ahead|back)",
                        words -> happenings.add(new Happening.ClockStep(
                                words.millis("at"),
                                words.text("way").equals("ahead")
                                        ? words.millis("within")
                                        : -words.millis("within")))));
    }

    void requireServer(int server) throws ScenarioProblem {
        int known = serversAtFirst.getAsInt() + joining;
        ScenarioDraft.require(
                server >= 1 && server <= known, "there is no server " + server + "; allowed are 1 to " + known);
    }
}
