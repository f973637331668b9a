// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.healer.estimate.HealEstimate;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * The one JSON document of {@code bin/hearth healer run --output json}: how this heal ended and what it came to, also where it failed or was
 * interrupted. Written once, whoever is first. Thread-safe.
 */
final class HealJsonReport {

    private final PrintWriter out;
    private final HealProgress progress;
    private final HealOptions options;
    private final LongSupplier nowMs;
    private final long startedMs;
    private boolean isWritten;

    HealJsonReport(PrintWriter out, HealProgress progress, HealOptions options, LongSupplier nowMs) {
        this.out = out;
        this.progress = progress;
        this.options = options;
        this.nowMs = nowMs;
        this.startedMs = nowMs.getAsLong();
    }

    void ended(HealResult result) {
        write(of(result));
    }

    /** The document of a heal that was not begun, since what was typed makes no sense. */
    static void refused(PrintWriter out, String message) {
        out.println(of(new HealResult(ExitCode.USAGE, message)));
        out.flush();
    }

    private static JsonObject of(HealResult result) {
        JsonObject json = new JsonObject();
        json.addProperty("result", result.code().name().toLowerCase(Locale.ROOT));
        json.addProperty("exitCode", result.code().code());
        json.addProperty("message", result.line());
        return json;
    }

    /** A signal ends the process, which has the exit code of that signal. */
    void interrupted() {
        JsonObject json = new JsonObject();
        json.addProperty("result", "interrupted");
        json.addProperty("message", "stopped by a signal; what is under way ends by itself");
        write(json);
    }

    private synchronized void write(JsonObject json) {
        if (isWritten) {
            return;
        }
        isWritten = true;
        HealStats now = progress.stats();
        json.addProperty("durationMs", nowMs.getAsLong() - startedMs);
        json.addProperty("healedBytes", now.healedBytes());
        json.addProperty("healedBytesBy", now.knowsMoves() ? "namenode" : "reports");
        now.bytesAcrossRacks().ifPresent(bytes -> json.addProperty("bytesAcrossRacks", bytes));
        json.addProperty("bytesToGo", now.bytesTo(options.targetLocality()));
        json.addProperty("firstLocality", now.firstLocality());
        json.addProperty("locality", now.locality());
        json.addProperty("regions", now.regions());
        json.addProperty("remoteRegions", now.remoteRegions());
        json.addProperty("regionsLocalNotReported", now.regionsNotReported());
        progress.masterOpenMoves().ifPresent(moves -> json.addProperty("masterOpenMoves", moves));
        if (now.knowsMoves()) {
            json.addProperty("openMoves", now.openMoves());
            json.addProperty("failedMoves", now.failedMoves());
        }
        if (options.dryRun()) {
            json.addProperty("advisedMoves", now.advisedMoves());
            json.addProperty("advisedBytes", now.advisedBytes());
            progress.estimate().ifPresent(estimate -> json.add("estimate", of(estimate)));
        }
        JsonObject skippedBlocks = new JsonObject();
        now.skippedBlocks()
                .forEach((reason, count) ->
                        skippedBlocks.addProperty(reason.name().toLowerCase(Locale.ROOT), count));
        json.add("skippedBlocks", skippedBlocks);
        out.println(json);
        out.flush();
    }

    private static JsonObject of(HealEstimate estimate) {
        JsonObject json = new JsonObject();
        json.addProperty("bytes", estimate.bytes());
        json.addProperty("moves", estimate.moves());
        json.addProperty("nameNodeCalls", estimate.nameNodeCalls());
        json.addProperty("nameNodeMs", estimate.nameNodeMs());
        json.addProperty("durationMs", Math.round(estimate.seconds() * 1e3));
        json.addProperty("heldBackBy", estimate.limit().label());
        JsonArray dataNodes = new JsonArray();
        estimate.dataNodes().forEach(one -> {
            JsonObject row = new JsonObject();
            row.addProperty("host", one.node().host());
            row.addProperty("bytesIn", one.bytesIn());
            row.addProperty("bytesOut", one.bytesOut());
            row.addProperty("limitBytesPerSecond", one.bytesPerSecond());
            row.addProperty("durationMs", Math.round(one.seconds() * 1e3));
            dataNodes.add(row);
        });
        json.add("dataNodes", dataNodes);
        return json;
    }
}
