// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.heal.ClientRuntime;
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

    /** A fifth of what a request may have. */
    private static final int REGIONS_A_REQUEST = 5_000;

    private final ClusterClient client;
    private final Assignments assignments;
    private final HealProgress progress;
    private final ProgressPrinter printer;
    private final MasterHealCompletionCheck completionCheck;
    private final long pollMs;
    /** The ids of this heal: one, and a second where another master took over while it was asked for. */
    private final Set<String> heals = new LinkedHashSet<>();

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
        this.completionCheck = new MasterHealCompletionCheck(targetLocality);
        // As often as the healer itself polls: the reports of all regions are much to ask for.
        this.pollMs = HealingSettings.read("hbase-site.xml", new ConfigurationSettings(host.configuration()))
                .config()
                .pollMs();
    }

    /** Whether there is a healer in the master that makes moves now, so that it can be asked. */
    static boolean isAtWork(JsonObject page) {
        return state(page) == State.ON;
    }

    /** At which share of DataNodes' limits the healer in the master goes on: 0 to 1, and 0 where it has rested. */
    static double startShare(JsonObject page) {
        JsonElement percent = healing(page).getAsJsonObject("now").get(HealingGauge.LOWEST_RATE_PERCENT.metric());
        return percent == null ? 0 : percent.getAsDouble() / 100;
    }

    /** Asks for it, and returns when it is over. */
    HealResult run() throws IOException {
        progress.countByReports();
        observe();
        if (progress.stats().regions() == 0) {
            return HealCompletionCheck.NOTHING_TO_HEAL;
        }
        if (!completionCheck.isReached(progress)) {
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
            Optional<HealResult> result = completionCheck.check(progress, healing(page), nowMs());
            if (result.isPresent()) {
                printer.end(now, nowMs());
                return result.get();
            }
            LockSupport.parkNanos(pollMs * 1_000_000);
            observe();
        }
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
        return heals.size() > 1
                ? Optional.empty()
                : JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonArray("heals").asList().stream()
                        .map(JsonElement::getAsJsonObject)
                        .filter(heal -> heals.contains(heal.get("id").getAsString()))
                        .findFirst()
                        .map(MasterHeal::counts);
    }

    private static HealCounts counts(JsonObject heal) {
        return new HealCounts(
                heal.get("id").getAsString(),
                heal.get("openMoves").getAsInt(),
                heal.get("verifiedMoves").getAsInt(),
                heal.get("verifiedBytes").getAsLong(),
                heal.get("failedMoves").getAsInt(),
                heal.has("bytesAcrossRacks")
                        ? OptionalLong.of(heal.get("bytesAcrossRacks").getAsLong())
                        : OptionalLong.empty());
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
