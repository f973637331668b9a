package io.hearth.sim.scenario;

import io.hearth.sim.scenario.Scenario.Deal;
import io.hearth.sim.scenario.Scenario.LoadSpec;
import io.hearth.sim.scenario.Scenario.Noise;
import io.hearth.sim.scenario.Scenario.ServerSpec;
import io.hearth.sim.scenario.Scenario.Spread;
import io.hearth.sim.scenario.Scenario.TableSpec;
import io.hearth.sim.scenario.Scenario.Timing;
import io.hearth.sim.scenario.Scenario.Wave;
import io.hearth.sim.scenario.Sentence.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A scenario while its file is being read: what each sentence adds to it. Not thread-safe; used once. */
final class ScenarioDraft {

    private final String name;
    private String title = "";
    private long seed = 1;
    private long lastsMs;
    private final List<ServerSpec> servers = new ArrayList<>();
    private final Map<String, TableSpec> tables = new TreeMap<>();
    private final List<LoadSpec> loads = new ArrayList<>();
    private final HappeningDraft happenings = new HappeningDraft(this::requireRegion, servers::size);
    private Timing timing = Timing.DEFAULT;
    private Noise noise = Noise.NONE;
    private boolean isHealed;
    private final Map<String, String> settings = new TreeMap<>();
    private final ExpectationDraft expectations = new ExpectationDraft(this::requireRegion);

    ScenarioDraft(String name) {
        this.name = name;
    }

    Scenario scenario() throws ScenarioProblem {
        require(!title.isEmpty(), "it has no title; a line such as \"Title: A hot region\" gives one");
        require(lastsMs > 0, "it has no end; a line such as \"Lasts: 6h\" gives one");
        require(servers.size() > 1, "it has " + servers.size() + " servers; a balancer needs at least 2");
        require(!loads.isEmpty(), "it has no load; the section Load gives one");
        require(!expectations.all().isEmpty(), "it expects nothing; the section Expect says what should come out");
        return new Scenario(
                name,
                title,
                seed,
                lastsMs,
                servers,
                List.copyOf(tables.values()),
                loads,
                happenings.all(),
                timing,
                noise,
                isHealed,
                settings,
                expectations.all());
    }

    Map<String, List<Sentence>> sentencesBySection() {
        return Map.of(
                "", heads(),
                "Cluster", cluster(),
                "Load", load(),
                "Happens", happenings.sentences(),
                "Settings", settingsSentences(),
                "Expect", expectations.sentences());
    }

    private List<Sentence> heads() {
        return List.of(
                Sentence.of("Title: TEXT", "Title: (?<text>.+)", words -> title = words.text("text")),
                Sentence.of("Seed: N", "Seed: <n>", words -> seed = words.count("n")),
                Sentence.of("Lasts: 6h", "Lasts: <at>", words -> lastsMs = words.millis("at")));
    }

    private List<Sentence> cluster() {
        return List.of(
                Sentence.of(
                        "N servers [on N racks] [of capacity X]",
                        "<n> servers?(?: on (?<racks>\\d+) racks)?(?: of capacity <decimal>)?",
                        this::servers),
                Sentence.of(
                        "table NAME of N regions of N MB|GB [with N replicas] [dealt in turn|shuffled|all on server 1]",
                        "table <table> of <n> regions? of (?<size>[\\d,]+) (?<unit>MB|GB)(?: with (?<replicas>\\d+) replicas)?"
                                + "(?:,? dealt in turn|,? (?<shuffled>shuffled)|,? (?<first>all on server 1))?",
                        words -> table(words.text("table"), words)),
                Sentence.of(
                        "N tables of one region of N MB|GB",
                        "<n> tables of one region of (?<size>[\\d,]+) (?<unit>MB|GB)",
                        this::manyTables),
                Sentence.of(
                        "reports come every TIME [and N % of them are lost] [and N % are seen again after newer ones]",
                        "reports come every <at>(?: and <decimal> % of them are lost)?"
                                + "(?: and (?<stale>\\d+) % are seen again after newer ones)?",
                        words -> timing = timing.withReports(
                                words.millis("at"),
                                words.has("decimal") ? words.decimal("decimal") / 100 : 0,
                                words.has("stale") ? words.count("stale") / 100.0 : 0)),
                Sentence.of(
                        "the balancer runs every TIME [, whatever is on its way,] and a move takes TIME",
                        "the balancer runs every <at>(?<forced>, whatever is on its way,)? and a move takes <within>",
                        words -> timing =
                                timing.withRuns(words.millis("at"), words.millis("within"), words.has("forced"))),
                Sentence.of(
                        "the healer keeps every region at home",
                        "the healer keeps every region at home",
                        words -> isHealed = true));
    }

    private void servers(Words words) {
        int racks = words.has("racks") ? words.count("racks") : 0;
        for (int server = 0; server < words.count("n"); server++) {
            String rack = racks == 0 ? "" : "/rack" + (1 + server % racks);
            servers.add(new ServerSpec(rack, words.has("decimal") ? words.decimal("decimal") : 1));
        }
    }

    private void table(String table, Words words) throws ScenarioProblem {
        require(!tables.containsKey(table), "there is a table " + table + " already");
        Deal deal = words.has("shuffled") ? Deal.SHUFFLED : words.has("first") ? Deal.ALL_ON_FIRST : Deal.IN_TURN;
        int replicas = words.has("replicas") ? words.count("replicas") : 1;
        tables.put(table, new TableSpec(table, words.count("n"), bytes(words), replicas, deal));
    }

    private void manyTables(Words words) {
        for (int table = 1; table <= words.count("n"); table++) {
            String name = String.format("small%04d", table);
            tables.put(name, new TableSpec(name, 1, bytes(words), 1, Deal.SHUFFLED));
        }
    }

    private static long bytes(Words words) {
        return (long) words.count("size") << (words.text("unit").equals("GB") ? 30 : 20);
    }

    private static final String WAVE =
            "(?:, rising and falling by (?<percent>\\d+) % every <at>)?" + "(?:, from <from>(?: to <to>)?)?";

    private List<Sentence> load() {
        return List.of(
                Sentence.of(
                        "TABLE takes N reads|writes/s [evenly|lognormal with sigma X|like Zipf X|N of them on server N"
                                + "|at a front of N regions that moves on every TIME]"
                                + " [, rising and falling by N % every TIME] [, from TIME [to TIME]]",
                        "<table> takes <n> <what>/s(?: evenly| lognormal with sigma (?<sigma>[\\d.]+)| like Zipf (?<zipf>[\\d.]+)"
                                + "|, (?<share>[\\d,]+) of them on server <server>"
                                + "| at a front of (?<front>\\d+) regions? that moves on every <within>)?"
                                + WAVE,
                        this::tableLoad),
                Sentence.of(
                        "region N of TABLE takes N reads|writes/s [, rising and falling by N % every TIME]"
                                + " [, from TIME [to TIME]]",
                        "region <region> of <table> takes <n> <what>/s" + WAVE, this::regionLoad),
                Sentence.of(
                        "each small table takes N reads|writes/s lognormal with sigma X",
                        "each small table takes <n> <what>/s lognormal with sigma (?<sigma>[\\d.]+)",
                        this::smallTables),
                Sentence.of(
                        "each region has up to N % more or fewer, by chance, anew every TIME",
                        "each region has up to (?<percent>\\d+) % more or fewer, by chance, anew every <at>",
                        words -> noise = new Noise(words.count("percent") / 100.0, words.millis("at"))));
    }

    private void tableLoad(Words words) throws ScenarioProblem {
        String table = words.text("table");
        require(tables.containsKey(table), "there is no table " + table + "; the section Cluster names them");
        loads.add(new LoadSpec(table, ExpectationDraft.dimension(words), words.count("n"), spread(words), wave(words)));
    }

    private Spread spread(Words words) throws ScenarioProblem {
        if (words.has("sigma")) {
            return new Spread.Lognormal(words.decimal("sigma"));
        }
        if (words.has("zipf")) {
            return new Spread.Zipf(words.decimal("zipf"));
        }
        if (words.has("share")) {
            require(
                    words.count("share") <= words.count("n"),
                    "server " + words.count("server") + " can't take " + words.text("share") + " of "
                            + words.text("n"));
            happenings.requireServer(words.count("server"));
            return new Spread.OnServer(words.count("share"), words.count("server"));
        }
        return words.has("front")
                ? new Spread.Front(words.count("front"), words.millis("within"))
                : new Spread.Evenly();
    }

    private static Wave wave(Words words) {
        Span during = words.has("from")
                ? new Span(words.millis("from"), words.has("to") ? words.millis("to") : Long.MAX_VALUE)
                : Span.ALWAYS;
        return words.has("percent")
                ? new Wave(words.count("percent") / 100.0, words.millis("at"), during)
                : new Wave(0, 1, during);
    }

    private void regionLoad(Words words) throws ScenarioProblem {
        requireRegion(words.text("table"), words.count("region"));
        loads.add(new LoadSpec(
                words.text("table"),
                ExpectationDraft.dimension(words),
                words.count("n"),
                new Spread.OneRegion(words.count("region")),
                wave(words)));
    }

    /** Drawn with the scenario's seed, so that a table's rate is the same in every run. */
    private void smallTables(Words words) {
        java.util.Random random = new java.util.Random(seed);
        tables.values().stream()
                .filter(table -> table.regions() == 1)
                .forEach(table -> loads.add(new LoadSpec(
                        table.name(),
                        ExpectationDraft.dimension(words),
                        words.count("n") * Math.exp(words.decimal("sigma") * random.nextGaussian()),
                        new Spread.Evenly(),
                        Wave.NONE)));
    }

    private List<Sentence> settingsSentences() {
        return List.of(Sentence.of(
                "KEY = VALUE, as in hbase-site.xml",
                "(?<key>[a-zA-Z.:]+) = (?<value>\\S+)",
                words -> settings.put(words.text("key"), words.text("value"))));
    }

    private void requireRegion(String table, int region) throws ScenarioProblem {
        TableSpec spec = tables.get(table);
        if (spec == null) {
            throw new ScenarioProblem("there is no table " + table + "; the section Cluster names them");
        }
        require(
                region >= 1 && region <= spec.regions(),
                table + " has no region " + region + "; allowed are 1 to " + spec.regions());
    }

    static void require(boolean holds, String otherwise) throws ScenarioProblem {
        if (!holds) {
            throw new ScenarioProblem(otherwise);
        }
    }
}
