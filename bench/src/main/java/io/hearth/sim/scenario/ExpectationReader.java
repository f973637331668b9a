// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.scenario.Expectation.BytesHealed;
import io.hearth.sim.scenario.Expectation.BytesMoved;
import io.hearth.sim.scenario.Expectation.Locality;
import io.hearth.sim.scenario.Expectation.MaxOverMean;
import io.hearth.sim.scenario.Expectation.MinMoves;
import io.hearth.sim.scenario.Expectation.Moves;
import io.hearth.sim.scenario.Expectation.MovesInAny;
import io.hearth.sim.scenario.Expectation.MovesOfOneRegion;
import io.hearth.sim.scenario.Expectation.MovesTo;
import io.hearth.sim.scenario.Expectation.RecommendsSplit;
import io.hearth.sim.scenario.Expectation.ReplicasApart;
import io.hearth.sim.scenario.Expectation.Returns;
import io.hearth.sim.scenario.Expectation.Stays;
import io.hearth.sim.scenario.ScenarioReader.ScenarioFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the list {@code expect} of a scenario file. Not thread-safe; used once. */
final class ExpectationReader {

    private static final Map<String, LoadDimension> SKEWS = LoadDimension.shown().stream()
            .collect(Collectors.toMap(
                    dimension -> "max/mean of " + dimension.label(),
                    dimension -> dimension,
                    (one, other) -> one,
                    LinkedHashMap::new));

    private static final List<String> KINDS = Stream.concat(
                    SKEWS.keySet().stream(),
                    Stream.of(
                            "moves",
                            "moves of one region",
                            "moves to and fro",
                            "locality",
                            "bytes healed",
                            "bytes moved",
                            "region stays",
                            "replicas stay apart",
                            "split is advised"))
            .toList();

    private static final Set<String> OF_BLOCKS = Set.of("locality", "bytes healed");

    private final ScenarioReader cluster;
    private final List<Expectation> expectations = new ArrayList<>();

    ExpectationReader(ScenarioReader cluster) {
        this.cluster = cluster;
    }

    List<Expectation> all() {
        return expectations;
    }

    void take(YamlMapping line) throws ScenarioFormatException {
        String kind = line.oneOf(KINDS);
        line.require(
                cluster.isHealed() || !OF_BLOCKS.contains(kind),
                "\"" + kind + "\" is known only of a cluster with \"blocks: healed\"");
        if (kind.equals("replicas stay apart")) {
            line.word(kind, "true");
            expectations.add(new ReplicasApart());
        } else {
            YamlMapping what = line.mapping(kind);
            expectations.add(
                    switch (kind) {
                        case "moves" -> moves(what);
                        case "moves of one region" ->
                            new MovesOfOneRegion(what.count("at most"), millisOrEver(what, "in any"));
                        case "moves to and fro" -> new Returns(what.count("at most"), millisOrEver(what, "within"));
                        case "locality" -> new Locality(what.share("at least"), what.interval());
                        case "bytes healed" -> new BytesHealed(what.bytes("at most"));
                        case "bytes moved" -> new BytesMoved(what.bytes("at most"), what.interval());
                        case "region stays" -> {
                            String table = what.text("table", "a table's name");
                            yield new Stays(table, cluster.region(what, table, "region"), what.interval());
                        }
                        case "split is advised" -> {
                            String table = what.text("table", "a table's name");
                            yield new RecommendsSplit(table, cluster.region(what, table, "region"));
                        }
                        default -> maxOverMean(what, Objects.requireNonNull(SKEWS.get(kind)));
                    });
            what.end();
        }
        line.end();
    }

    private static MaxOverMean maxOverMean(YamlMapping what, LoadDimension dimension) throws ScenarioFormatException {
        String bound = what.oneOf(List.of("at most", "at least"));
        return new MaxOverMean(dimension, what.decimal(bound), bound.equals("at most"), what.interval());
    }

    private Expectation moves(YamlMapping what) throws ScenarioFormatException {
        String bound = what.oneOf(List.of("at most", "at least"));
        int count = what.count(bound);
        if (bound.equals("at least")) {
            return new MinMoves(count, what.interval());
        }
        if (what.has("in any")) {
            return new MovesInAny(count, what.millis("in any"));
        }
        return what.has("to server")
                ? new MovesTo(count, cluster.server(what, "to server"), what.interval())
                : new Moves(count, what.interval());
    }

    private static long millisOrEver(YamlMapping what, String key) throws ScenarioFormatException {
        return what.has(key) ? what.millis(key) : Long.MAX_VALUE;
    }
}
