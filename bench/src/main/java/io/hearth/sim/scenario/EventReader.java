package io.hearth.sim.scenario;

import io.hearth.sim.scenario.Scenario.ScenarioEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads the list {@code events} of a scenario file. Not thread-safe; used once. */
final class EventReader {

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
