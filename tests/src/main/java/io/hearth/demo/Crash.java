package io.hearth.demo;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import io.hearth.demo.report.Heal;
import io.hearth.demo.report.HostOrder;
import io.hearth.demo.verdict.Bar;
import io.hearth.demo.verdict.Unit;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Kills the RegionServer that serves most, and follows its regions until they are at home again. */
final class Crash {
    private static final long DEADLINE_MS = 60_000;
    private static final int MOST_CRASHES = 2;

    private Crash() {}

    /** One crash; and another when its regions happen to find most of their blocks where they land. */
    static void run(Stage stage) throws IOException, InterruptedException {
        for (int crash = 1; crash <= MOST_CRASHES; crash++) {
            double localityAtOnce = killAndHeal(stage);
            if (Bar.LOCALITY_CRASHED.holds(localityAtOnce)) {
                return;
            }
            if (crash < MOST_CRASHES) {
                stage.console().print("   by chance most of their blocks were there already: so another server dies");
            }
        }
    }

    private static double killAndHeal(Stage stage) throws IOException, InterruptedException {
        LocalityCensus census = stage.watch().census();
        String victim = victim(stage, census);
        Set<String> regions =
                census.servedBy(victim).stream().map(RegionBlocks::region).collect(Collectors.toSet());
        HealerCounters before = HealerCounters.now();
        try (MoveWatch moves = MoveWatch.start(stage.watch())) {
            stage.console()
                    .print("   killing the RegionServer on " + victim + ", which serves " + regions.size()
                            + " regions; its DataNode lives on");
            stage.findings().event("RegionServer on " + victim + " killed");
            stage.findings().role(victim, "killed");
            stage.cluster().killRegionServer(victim);
            untilAllArrived(stage, moves, regions, victim);
            LocalityCensus arrived = moves.arrivals().of(regions);
            stage.console()
                    .print("   its regions on their new servers: locality " + Unit.SHARE.format(arrived.locality())
                            + " at once");
            stage.findings().measured(Bar.LOCALITY_CRASHED, arrived.locality());
            Heal heal = Healing.untilHome(stage, "RegionServer on " + victim + " killed", moves, before);
            stage.findings().measured(Bar.LOCALITY_HEALED, heal.localityAfter());
            if (heal.localityAfter() < 1) {
                stage.findings().unmeasured(Bar.BYTES_MOVED, "not all of it came home");
            } else {
                stage.findings().measured(Bar.BYTES_MOVED, heal.movedOverNonLocal(), "no byte was away");
            }
            return arrived.locality();
        }
    }

    /**
     * The host with most bytes of the table; not the one with hbase:meta, whose recovery comes first and
     * would make the others' take longer than the demo has.
     */
    private static String victim(Stage stage, LocalityCensus census) throws IOException {
        String metaHost;
        try (RegionLocator locator = stage.cluster().connection().getRegionLocator(TableName.META_TABLE_NAME)) {
            metaHost = locator.getRegionLocation(new byte[0]).getHostname();
        }
        return census.bytesByHost().entrySet().stream()
                .filter(host -> !host.getKey().equals(metaHost))
                .sorted(Comparator.comparing(Map.Entry::getKey, HostOrder.BY_NUMBER))
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .orElseThrow()
                .getKey();
    }

    private static void untilAllArrived(Stage stage, MoveWatch moves, Set<String> regions, String victim)
            throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        while (moves.arrivals().of(regions).regions().size() < regions.size()) {
            if (stopwatch.elapsedMs() > DEADLINE_MS) {
                stage.console().print("   not all regions of " + victim + " have found a server after a minute");
                return;
            }
            Thread.sleep(100);
        }
    }
}
