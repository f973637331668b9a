// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.scenario;

import io.hearth.common.model.LoadDimension;
import io.hearth.sim.scenario.Scenario.Blocks;
import io.hearth.sim.scenario.Scenario.InitialPlacement;
import io.hearth.sim.scenario.Scenario.LoadDistribution;
import io.hearth.sim.scenario.Scenario.LoadSpec;
import io.hearth.sim.scenario.Scenario.Noise;
import io.hearth.sim.scenario.Scenario.ScenarioEvent;
import io.hearth.sim.scenario.Scenario.ServerSpec;
import io.hearth.sim.scenario.Scenario.TableSpec;
import io.hearth.sim.scenario.Scenario.TimeInterval;
import io.hearth.sim.scenario.Scenario.Timing;
import io.hearth.sim.scenario.Scenario.Wave;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/**
 * Reads a scenario file: YAML with the keys that {@code scenario.schema.json} beside Hearth's own scenarios lists. Not
 * thread-safe; used once.
 */
public final class ScenarioReader {

    private final YamlMapping file;
    private final List<ServerSpec> servers = new ArrayList<>();
    private final Map<String, TableSpec> tables = new TreeMap<>();
    private final Map<String, List<TableSpec>> tablesByGroup = new TreeMap<>();
    private final List<LoadSpec> loads = new ArrayList<>();
    private Timing timing = Timing.DEFAULT;
    private Blocks blocks = Blocks.UNKNOWN;
    private long seed = 1;
    private int joined;

    private ScenarioReader(YamlMapping file) {
        this.file = file;
    }

    /**
     * The scenario that this text tells.
     *
     * @param file the file's name, for messages
     * @throws ScenarioFormatException if something can't be understood, is missing, or names what is not there
     */
    public static Scenario read(String file, String text) throws ScenarioFormatException {
        return new ScenarioReader(YamlMapping.of(file, text)).scenario(file.replaceFirst("\\.[a-z]+$", ""));
    }

    private Scenario scenario(String name) throws ScenarioFormatException {
        String title = file.text("title", "one line such as A hot region");
        seed = file.has("seed") ? file.count("seed") : 1;
        long lastsMs = file.millis("lasts");
        cluster(file.mapping("cluster"));
        file.require(file.has("load"), "\"load\" is missing; it is a list of requests to tables");
        for (YamlMapping load : file.list("load")) {
            load(load);
        }
        Noise noise = file.has("noise") ? noise(file.mapping("noise")) : Noise.NONE;
        EventReader events = new EventReader(this);
        for (YamlMapping event : file.list("events")) {
            events.take(event);
        }
        Map<String, String> settings =
                file.has("settings") ? file.mapping("settings").all() : Map.of();
        file.require(file.has("expect"), "\"expect\" is missing; it is a list of what should come out");
        ExpectationReader expectations = new ExpectationReader(this);
        for (YamlMapping expectation : file.list("expect")) {
            expectations.take(expectation);
        }
        file.end();
        return new Scenario(
                name,
                title,
                seed,
                lastsMs,
                servers,
                List.copyOf(tables.values()),
                loads,
                events.all(),
                timing,
                noise,
                blocks,
                settings,
                expectations.all());
    }

    private void cluster(YamlMapping cluster) throws ScenarioFormatException {
        for (YamlMapping some : cluster.list("servers")) {
            servers(some);
        }
        cluster.require(
                servers.size() > 1, "the cluster has " + servers.size() + " servers; a balancer needs at least 2");
        for (YamlMapping table : cluster.list("tables")) {
            table(table);
        }
        if (cluster.has("reports")) {
            YamlMapping reports = cluster.mapping("reports");
            timing = timing.withReports(
                    reports.millis("every"),
                    reports.has("lost") ? reports.share("lost") : 0,
                    reports.has("seen again after newer ones") ? reports.share("seen again after newer ones") : 0);
            reports.end();
        }
        if (cluster.has("balancer")) {
            YamlMapping balancer = cluster.mapping("balancer");
            timing = timing.withRuns(
                    balancer.millis("every"), balancer.millis("a move takes"), balancer.isTrue("while regions move"));
            balancer.end();
        }
        if (cluster.has("blocks")) {
            blocks = cluster.word("blocks", "local", "healed").equals("local") ? Blocks.LOCAL : Blocks.HEALED;
            cluster.require(
                    !isHealed() || tables.values().stream().allMatch(table -> table.replicas() == 1),
                    "\"blocks: healed\" is for tables without replicas of their regions");
        }
        cluster.end();
    }

    private void servers(YamlMapping some) throws ScenarioFormatException {
        int racks = some.has("racks") ? some.count("racks") : 0;
        double capacity = some.has("capacity") ? some.decimal("capacity") : 1;
        int count = some.count("count");
        for (int server = 0; server < count; server++) {
            servers.add(new ServerSpec(racks == 0 ? "" : "/rack" + (1 + server % racks), capacity));
        }
        some.end();
    }

    private void table(YamlMapping table) throws ScenarioFormatException {
        String name = table.text("name", "a table's name");
        int regions = table.count("regions");
        long bytes = table.bytes("region size");
        int replicas = table.has("replicas") ? table.count("replicas") : 1;
        InitialPlacement initialPlacement =
                table.has("placed") ? initialPlacement(table) : InitialPlacement.ROUND_ROBIN;
        List<TableSpec> group = new ArrayList<>();
        if (table.has("count")) {
            int count = table.count("count");
            for (int member = 1; member <= count; member++) {
                group.add(new TableSpec(
                        String.format("%s%04d", name, member), regions, bytes, replicas, initialPlacement));
            }
            tablesByGroup.put(name, group);
        } else {
            group.add(new TableSpec(name, regions, bytes, replicas, initialPlacement));
        }
        for (TableSpec spec : group) {
            table.require(
                    tables.putIfAbsent(spec.name(), spec) == null, "there is a table " + spec.name() + " already");
        }
        table.end();
    }

    private static InitialPlacement initialPlacement(YamlMapping table) throws ScenarioFormatException {
        return switch (table.word("placed", "in turn", "shuffled", "all on server 1")) {
            case "shuffled" -> InitialPlacement.SHUFFLED;
            case "all on server 1" -> InitialPlacement.ALL_ON_FIRST;
            default -> InitialPlacement.ROUND_ROBIN;
        };
    }

    private void load(YamlMapping load) throws ScenarioFormatException {
        List<LoadDimension> counters = Arrays.stream(LoadDimension.values())
                .filter(LoadDimension::isCounter)
                .toList();
        String kind = load.oneOf(counters.stream().map(LoadDimension::label).toList());
        LoadDimension dimension = counters.stream()
                .filter(counter -> counter.label().equals(kind))
                .findFirst()
                .orElseThrow();
        double perSecond = load.perSecond(kind);
        if (load.oneOf(List.of("table", "each table of")).equals("table")) {
            String table = load.text("table", "a table's name");
            requireTable(load, table);
            LoadDistribution distribution = distribution(load, table, perSecond);
            loads.add(new LoadSpec(table, dimension, perSecond, distribution, wave(load)));
        } else {
            groupLoad(load, dimension, perSecond);
        }
        load.end();
    }

    /** Drawn with the scenario's seed: a table's rate is the same in every run. */
    private void groupLoad(YamlMapping load, LoadDimension dimension, double perSecond) throws ScenarioFormatException {
        String group = load.text("each table of", "the name of tables with a count");
        load.require(
                tablesByGroup.containsKey(group),
                "there are no tables " + group + " with a count; allowed are " + tablesByGroup.keySet());
        double sigma = load.decimal("lognormal with sigma");
        Random random = new Random(seed);
        for (TableSpec table : tablesByGroup.getOrDefault(group, List.of())) {
            double ofTable = perSecond * Math.exp(sigma * random.nextGaussian());
            loads.add(new LoadSpec(table.name(), dimension, ofTable, new LoadDistribution.Evenly(), Wave.NONE));
        }
    }

    private LoadDistribution distribution(YamlMapping load, String table, double perSecond)
            throws ScenarioFormatException {
        if (load.has("region")) {
            return new LoadDistribution.OneRegion(region(load, table, "region"));
        }
        if (load.has("lognormal with sigma")) {
            return new LoadDistribution.Lognormal(load.decimal("lognormal with sigma"));
        }
        if (load.has("like Zipf")) {
            return new LoadDistribution.Zipf(load.decimal("like Zipf"));
        }
        if (load.has("on server")) {
            int server = server(load, "on server");
            double ofServer = load.perSecond("of which");
            load.require(ofServer <= perSecond, "server " + server + " can't take more of them than there are");
            return new LoadDistribution.OnServer(ofServer, server);
        }
        return load.has("front of regions")
                ? new LoadDistribution.MovingFront(load.count("front of regions"), load.millis("moves on every"))
                : new LoadDistribution.Evenly();
    }

    private static Wave wave(YamlMapping load) throws ScenarioFormatException {
        TimeInterval during = load.interval();
        return load.has("rises and falls by")
                ? new Wave(load.share("rises and falls by"), load.millis("every"), during)
                : new Wave(0, 1, during);
    }

    private static Noise noise(YamlMapping noise) throws ScenarioFormatException {
        Noise read = new Noise(noise.share("up to"), noise.millis("anew every"));
        noise.end();
        return read;
    }

    private TableSpec requireTable(YamlMapping mapping, String table) throws ScenarioFormatException {
        TableSpec spec = tables.get(table);
        if (spec == null) {
            throw mapping.problem("there is no table " + table + "; allowed are " + String.join(", ", tables.keySet()));
        }
        return spec;
    }

    /** The number that this key has, of a region of this table. */
    int region(YamlMapping mapping, String table, String key) throws ScenarioFormatException {
        int regions = requireTable(mapping, table).regions();
        int region = mapping.count(key);
        mapping.require(
                region >= 1 && region <= regions, table + " has no region " + region + "; allowed are 1 to " + regions);
        return region;
    }

    /** The number that this key has, of a server that is there or has joined. */
    int server(YamlMapping mapping, String key) throws ScenarioFormatException {
        int server = mapping.count(key);
        int known = servers.size() + joined;
        mapping.require(server >= 1 && server <= known, "there is no server " + server + "; allowed are 1 to " + known);
        return server;
    }

    /** Whether its blocks are simulated, and healed. */
    boolean isHealed() {
        return blocks == Blocks.HEALED;
    }

    void serverJoins() {
        joined++;
    }

    /** Reads the list {@code events} of a scenario file. Not thread-safe; used once. */
    private static final class EventReader {

        private static final List<String> KINDS = List.of(
                "server crashes",
                "server returns",
                "server joins with capacity",
                "region splits",
                "operator moves region",
                "slow server",
                "master clock goes");

        private final ScenarioReader cluster;
        private final List<ScenarioEvent> events = new ArrayList<>();

        EventReader(ScenarioReader cluster) {
            this.cluster = cluster;
        }

        List<ScenarioEvent> all() {
            return events;
        }

        void take(YamlMapping event) throws ScenarioFormatException {
            String kind = event.oneOf(KINDS);
            long atMs = event.millis("at");
            events.add(
                    switch (kind) {
                        case "server crashes" -> crash(event, atMs);
                        case "server returns" -> new ScenarioEvent.Return(atMs, cluster.server(event, kind));
                        case "server joins with capacity" -> {
                            cluster.serverJoins();
                            yield new ScenarioEvent.Join(atMs, event.decimal(kind));
                        }
                        case "region splits" -> {
                            String table = table(event);
                            yield new ScenarioEvent.Split(atMs, table, cluster.region(event, table, kind));
                        }
                        case "operator moves region" -> {
                            String table = table(event);
                            int region = cluster.region(event, table, kind);
                            yield new ScenarioEvent.ManualMove(atMs, table, region, cluster.server(event, "to server"));
                        }
                        case "slow server" ->
                            new ScenarioEvent.SlowServer(atMs, cluster.server(event, kind), event.share("serves"));
                        default -> new ScenarioEvent.ClockStep(atMs, event.shiftMillis(kind));
                    });
            event.end();
        }

        private ScenarioEvent crash(YamlMapping event, long atMs) throws ScenarioFormatException {
            int server = cluster.server(event, "server crashes");
            return new ScenarioEvent.Crash(
                    atMs,
                    server,
                    event.has("its regions go to server")
                            ? OptionalInt.of(cluster.server(event, "its regions go to server"))
                            : OptionalInt.empty());
        }

        private static String table(YamlMapping event) throws ScenarioFormatException {
            return event.text("of table", "a table's name");
        }
    }

    /** Says what is wrong in a scenario file, where, and what may stand there; one line. */
    public static final class ScenarioFormatException extends Exception {

        private static final long serialVersionUID = 1;

        ScenarioFormatException(String file, int line, String message) {
            super(file + ", line " + line + ": " + message);
        }
    }
}
