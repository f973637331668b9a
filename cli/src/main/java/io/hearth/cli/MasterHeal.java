// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.heal.ClientRuntime;
import io.hearth.cli.view.ViewText;
import io.hearth.common.config.HumanFormat;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.core.RequestedHeals.HealCounts;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.Observed;
import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.model.PageInput.HealerStatus.State;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * One heal by the healer in the master: it is asked for the regions that are remote, and followed to the end by what the servers
 * report. One thread's.
 */
final class MasterHeal {

    private static final long HOOK_MS = 5_000;

    /** In so long after the last report the NameNode has confirmed the move. */
    private static final long COUNTED_MS = 10_000;

    /** A fifth of what a request may have. */
    private static final int REGIONS_A_REQUEST = 5_000;

    private final ClusterClient client;
    private final Assignments assignments;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final double targetLocality;
    private final long pollMs;
    private final Set<String> heals = new LinkedHashSet<>();
    private Optional<HealStats> last = Optional.empty();
    private int lastMasterOpenMoves;
    private long lastChangeMs;
    private OptionalLong reachedMs = OptionalLong.empty();

    /** @param progress takes in each of the host's snapshots */
    MasterHeal(
            ClusterClient client,
            ClientRuntime host,
            HealProgress progress,
            ProgressPrinter printer,
            double targetLocality) {
        this.client = client;
        this.assignments = host.assignments(new HealingMetricRegistry(), problem -> {});
        this.progress = progress;
        this.printer = printer;
        this.targetLocality = targetLocality;
        // As often as the healer itself polls: the reports of all regions are much to ask for.
        this.pollMs = HealingSettings.read("hbase-site.xml", new ConfigurationSettings(host.configuration()))
                .config()
                .pollMs();
    }

    /** Whether there is a healer in the master that makes moves now, so that it can be asked. */
    static boolean isAtWork(JsonObject page) {
        return state(page) == State.ON;
    }

    /** Asks for it, and returns when it is over. */
    HealResult run() throws IOException {
        progress.countByReports();
        observe();
        if (progress.stats().regions() == 0) {
            return HealCompletionCheck.NOTHING_TO_HEAL;
        }
        if (!isReached(progress.stats())) {
            ask();
        }
        SignalHook hook = new SignalHook(
                () -> printer.say("Stopped observing: the healer in the master goes on with what it was asked."));
        hook.set(HOOK_MS);
        try (hook) {
            HealResult result = follow();
            hook.awaitExitIfSignalled();
            return result;
        }
    }

    private HealResult follow() throws IOException {
        while (true) {
            JsonObject page = client.statusFromMaster()
                    .orElseThrow(() -> new IOException("Hearth is not in the master any more"));
            progress.localNotReported(localNotReported(page));
            progress.masterOpenMoves(openMoves(page));
            progress.masterCounts(counts());
            HealStats now = progress.stats();
            printer.show(now, nowMs());
            Optional<HealResult> result = check(now, page);
            if (result.isPresent()) {
                printer.end(now, nowMs());
                return result.get();
            }
            LockSupport.parkNanos(pollMs * 1_000_000);
            observe();
        }
    }

    private boolean isReached(HealStats now) {
        return now.locality() >= targetLocality && progress.hasEveryReport();
    }

    private void observe() throws IOException {
        if (assignments.snapshot() instanceof Observed.Unknown<?> unknown) {
            throw new IOException(unknown.detail());
        }
    }

    private void ask() throws IOException {
        for (List<EncodedRegionName> some : Lists.partition(progress.notLocal(), REGIONS_A_REQUEST)) {
            ask(some);
        }
    }

    private void ask(List<EncodedRegionName> some) throws IOException {
        JsonArray regions = new JsonArray();
        some.stream().map(EncodedRegionName::encodedName).forEach(regions::add);
        JsonObject parameters = new JsonObject();
        parameters.add("regions", regions);
        heals.forEach(heal -> parameters.addProperty("heal", heal));
        ApiResponse answer = client.ask(AdminCall.HEAL, parameters)
                .orElseThrow(() -> new IOException("Hearth is not in the master any more"));
        JsonObject said = JsonParser.parseString(answer.body()).getAsJsonObject();
        if (answer.status() != ApiResponse.OK) {
            throw new IOException(said.get("problem").getAsString());
        }
        Optional.ofNullable(said.get("heal")).map(JsonElement::getAsString).ifPresent(heals::add);
        printer.say(said.get("done").getAsString());
    }

    private Optional<HealResult> check(HealStats now, JsonObject page) {
        int masterOpenMoves = progress.masterOpenMoves().orElse(0);
        if (!Optional.of(now).equals(last) || masterOpenMoves != lastMasterOpenMoves) {
            last = Optional.of(now);
            lastMasterOpenMoves = masterOpenMoves;
            lastChangeMs = nowMs();
        }
        String locality = "locality is " + HumanFormat.share(now.locality()) + notReported(progress.localNotReported());
        boolean isQuiet = masterOpenMoves == 0 && nowMs() - lastChangeMs >= HealCompletionCheck.QUIET_MS;
        // What has just become local is reported within a poll or two, or not before its region is reopened.
        if (isReached(now) && !isStillCounted(now, page) && (now.regionsNotReported() == 0 || isQuiet)) {
            return Optional.of(new HealResult(ExitCode.DONE, locality));
        }
        if (state(page) != State.ON) {
            return Optional.of(new HealResult(
                    state(page) == State.WAITING ? ExitCode.ANOTHER_HEALER_ACTIVE : ExitCode.INCOMPLETE,
                    locality + ", and the healer in the master is "
                            + healing(page).get("stateText").getAsString()
                            + Optional.ofNullable(healing(page).get("why"))
                                    .map(why -> ": " + why.getAsString())
                                    .orElse("")));
        }
        return isQuiet
                ? Optional.of(new HealResult(
                        ExitCode.INCOMPLETE,
                        locality + " by the servers' reports, and the healer in the master has nothing to do;"
                                + " bin/hearth doctor says whether the reports are true, bin/hearth healer run --local why"
                                + " blocks stay"))
                : Optional.empty();
    }

    /** Whether the last moves are waited for, which the servers report before the NameNode has confirmed them. */
    private boolean isStillCounted(HealStats now, JsonObject page) {
        if (reachedMs.isEmpty()) {
            reachedMs = OptionalLong.of(nowMs());
        }
        return targetLocality >= 1
                && progress.knowsMoves()
                && now.openMoves() > 0
                && state(page) == State.ON
                && nowMs() - reachedMs.getAsLong() < COUNTED_MS;
    }

    /** With what makes their servers report it: a region that is reopened goes back to its server. */
    static String notReported(List<EncodedRegionName> regions) {
        if (regions.isEmpty()) {
            return "";
        }
        return ViewText.regionsNotReportedWithCommand(
                regions.size(), regions.get(0).encodedName());
    }

    private static Map<EncodedRegionName, String> localNotReported(JsonObject page) {
        Map<EncodedRegionName, String> serverByRegion = new HashMap<>();
        JsonArray told = healing(page).getAsJsonArray("localNotReported");
        if (told != null) {
            told.forEach(one -> serverByRegion.put(
                    new EncodedRegionName(one.getAsJsonObject().get("region").getAsString()),
                    one.getAsJsonObject().get("server").getAsString()));
        }
        return serverByRegion;
    }

    private static JsonObject healing(JsonObject page) {
        return page.getAsJsonObject("healing");
    }

    private static State state(JsonObject page) {
        return State.valueOf(healing(page).get("state").getAsString());
    }

    private static int openMoves(JsonObject page) {
        JsonObject now = healing(page).getAsJsonObject("now");
        return now.get(HealingGauge.BLOCKS_WAITING.metric()).getAsInt()
                + now.get(HealingGauge.BLOCKS_IN_FLIGHT.metric()).getAsInt();
    }

    /** What came of what was asked here; empty where another master than this one was asked for some of it. */
    private Optional<HealCounts> counts() throws IOException {
        ApiResponse answer = client.ask(AdminCall.GET_HEALS, new JsonObject())
                .orElseThrow(() -> new IOException("Hearth is not in the master any more"));
        JsonObject said = JsonParser.parseString(answer.body()).getAsJsonObject();
        List<JsonObject> ours = said.getAsJsonArray("heals").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(heal -> heals.contains(heal.get("id").getAsString()))
                .toList();
        if (ours.size() < heals.size()) {
            return Optional.empty();
        }
        ToLongFunction<String> sum = field ->
                ours.stream().mapToLong(heal -> heal.get(field).getAsLong()).sum();
        return Optional.of(new HealCounts(
                String.join(" ", heals),
                (int) sum.applyAsLong("openMoves"),
                (int) sum.applyAsLong("verifiedMoves"),
                sum.applyAsLong("verifiedBytes"),
                (int) sum.applyAsLong("failedMoves")));
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
