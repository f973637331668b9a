// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.report.DemoReport.HealSummary;
import io.hearth.demo.report.ServerTable;
import io.hearth.demo.threshold.Threshold;
import io.hearth.demo.threshold.Threshold.Unit;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Kills the RegionServer that serves most, and follows its regions until they are local again. */
final class ServerCrashPhase {
    private static final long DEADLINE_MS = 60_000;
    private static final int MOST_CRASHES = 2;

    private ServerCrashPhase() {}

    /** One crash; and another when its regions happen to find most of their blocks where they land. */
    static void run(DemoContext context) throws IOException, InterruptedException {
        for (int crash = 1; crash <= MOST_CRASHES; crash++) {
            double localityAtOnce = killAndHeal(context);
            if (Threshold.LOCALITY_CRASHED.holds(localityAtOnce)) {
                return;
            }
            if (crash < MOST_CRASHES) {
                context.console().print("   by chance most of their blocks were there already: so another server dies");
            }
        }
    }

    private static double killAndHeal(DemoContext context) throws IOException, InterruptedException {
        LocalitySnapshot localitySnapshot = context.inspector().localitySnapshot();
        String victim = victim(context, localitySnapshot);
        Set<String> regions = localitySnapshot.servedBy(victim).stream()
                .map(RegionBlocks::region)
                .collect(Collectors.toSet());
        HealerCounters before = HealerCounters.now();
        try (RemoteBlockMonitor moves = RemoteBlockMonitor.start(context.inspector())) {
            context.console()
                    .print("   killing the RegionServer on " + victim + ", which serves " + regions.size()
                            + " regions; its DataNode lives on");
            context.reportBuilder().event("RegionServer on " + victim + " killed");
            context.reportBuilder().role(victim, "killed");
            context.cluster().killRegionServer(victim);
            awaitArrived(context, moves, regions, victim);
            LocalitySnapshot arrived = moves.arrivedRegions().of(regions);
            context.console()
                    .print("   its regions on their new servers: locality " + Unit.SHARE.format(arrived.locality())
                            + " at once");
            context.reportBuilder().measured(Threshold.LOCALITY_CRASHED, arrived.locality());
            HealSummary heal = HealingPhase.awaitLocal(context, "RegionServer on " + victim + " killed", moves, before);
            context.reportBuilder().measured(Threshold.LOCALITY_HEALED, heal.localityAfter());
            if (heal.localityAfter() < 1) {
                context.reportBuilder().unmeasured(Threshold.BYTES_MOVED, "not all of it became local");
            } else {
                context.reportBuilder().measured(Threshold.BYTES_MOVED, heal.movedOverNonLocal(), "no byte was remote");
            }
            return arrived.locality();
        }
    }

    /**
     * The host with most bytes of the table; not the one with hbase:meta, whose recovery comes first and
     * would make the others' take longer than the demo has.
     */
    private static String victim(DemoContext context, LocalitySnapshot localitySnapshot) throws IOException {
        String metaHost;
        try (RegionLocator locator = context.cluster().connection().getRegionLocator(TableName.META_TABLE_NAME)) {
            metaHost = locator.getRegionLocation(new byte[0]).getHostname();
        }
        return localitySnapshot.bytesByHost().entrySet().stream()
                .filter(host -> !host.getKey().equals(metaHost))
                .sorted(Comparator.comparing(Map.Entry::getKey, ServerTable.HOST_ORDER))
                .max(Comparator.comparingLong(Map.Entry::getValue))
                .orElseThrow()
                .getKey();
    }

    private static void awaitArrived(DemoContext context, RemoteBlockMonitor moves, Set<String> regions, String victim)
            throws InterruptedException {
        Stopwatch stopwatch = new Stopwatch();
        while (moves.arrivedRegions().of(regions).regions().size() < regions.size()) {
            if (stopwatch.elapsedMs() > DEADLINE_MS) {
                context.console().print("   not all regions of " + victim + " have found a server after a minute");
                return;
            }
            Thread.sleep(100);
        }
    }
}
