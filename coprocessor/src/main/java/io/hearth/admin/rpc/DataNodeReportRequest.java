// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.balancer.engine.BrakeLeases;
import io.hearth.common.log.PrintableName;
import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import io.hearth.healer.verify.DataNodeStates;
import io.hearth.ui.hbase.ApiResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * What an SLO watch says of the DataNodes that it has probed. It is one more observer of them for as long as its lease lasts, a minute at
 * most: a watch that has died says nothing. Immutable.
 *
 * @param leaseSeconds for how long from now on what it says counts, if it says nothing more; 0 ends it
 */
record DataNodeReportRequest(String instance, long leaseSeconds, List<DataNodeObservation> seen) {

    private static final String NEEDED =
            "reportDatanodes needs instance, a text of 1 to 100 characters, leaseSeconds, 0 to "
                    + BrakeLeases.MAX_LEASE_SECONDS + ", and dataNodes, a list of host, operation (write or read),"
                    + " outcome (GOOD, SLOW or FAILED) and agoMs.";

    private static final int MAX_INSTANCE_CHARACTERS = 100;
    private static final int MAX_HOST_CHARACTERS = 255;

    /** What was seen longer ago is no news. */
    private static final long MAX_AGO_MS = 300_000;

    /** What was asked of a DataNode. */
    private enum Operation {
        WRITE,
        READ;

        /** The end of "its DataNode ...". */
        String words(Outcome outcome) {
            String what = name().toLowerCase(Locale.ROOT) + "s of probes";
            return switch (outcome) {
                case GOOD -> "serves " + what;
                case SLOW -> "serves " + what + " late";
                case FAILED -> "does not serve " + what;
            };
        }
    }

    /**
     * The answer to this request.
     *
     * @param states of this master's DataNodes; empty where it has no healer
     * @param nowMs by the clock of these states
     */
    static ApiResponse answer(JsonObject request, Optional<DataNodeStates> states, long nowMs) {
        Optional<DataNodeReportRequest> read = read(request, nowMs);
        if (read.isEmpty()) {
            return ApiResponse.problem(ApiResponse.BAD_REQUEST, NEEDED);
        }
        if (states.isEmpty()) {
            return answer(0, "This HMaster has no healer: nobody asks how DataNodes fare.");
        }
        DataNodeReportRequest report = read.get();
        boolean isTaken =
                states.get().takeLeased(observer(report.instance), 1_000 * report.leaseSeconds, report.seen, nowMs);
        return isTaken
                ? answer(report.seen.size(), report.seen.size() + " observations of DataNodes are taken in.")
                : ApiResponse.problem(
                        ApiResponse.BAD_REQUEST, "Too many SLO watches tell of DataNodes; one has to end first.");
    }

    private static ApiResponse answer(int taken, String what) {
        JsonObject json = new JsonObject();
        json.addProperty("taken", taken);
        json.addProperty("done", what);
        return ApiResponse.json(ApiResponse.OK, json);
    }

    private static String observer(String instance) {
        return "the SLO watch " + PrintableName.of(instance);
    }

    private static Optional<DataNodeReportRequest> read(JsonObject request, long nowMs) {
        Optional<String> instance = RequestFields.text(request, "instance")
                .filter(name -> !name.isBlank() && name.length() <= MAX_INSTANCE_CHARACTERS);
        Optional<Long> leaseSeconds = RequestFields.wholeNumber(request, "leaseSeconds")
                .filter(seconds -> seconds >= 0 && seconds <= BrakeLeases.MAX_LEASE_SECONDS);
        JsonElement dataNodes = request.get("dataNodes");
        if (instance.isEmpty() || leaseSeconds.isEmpty() || dataNodes == null || !dataNodes.isJsonArray()) {
            return Optional.empty();
        }
        List<DataNodeObservation> seen = new ArrayList<>();
        for (JsonElement each : (JsonArray) dataNodes) {
            Optional<DataNodeObservation> one =
                    each.isJsonObject() ? observation(instance.get(), each.getAsJsonObject(), nowMs) : Optional.empty();
            if (one.isEmpty()) {
                return Optional.empty();
            }
            seen.add(one.get());
        }
        return Optional.of(new DataNodeReportRequest(instance.get(), leaseSeconds.get(), List.copyOf(seen)));
    }

    private static Optional<DataNodeObservation> observation(String instance, JsonObject json, long nowMs) {
        Optional<String> host = RequestFields.text(json, "host")
                .filter(name -> !name.isBlank() && name.length() <= MAX_HOST_CHARACTERS);
        Optional<Operation> operation =
                RequestFields.text(json, "operation").flatMap(name -> constant(Operation.values(), name));
        Optional<Outcome> outcome =
                RequestFields.text(json, "outcome").flatMap(name -> constant(Outcome.values(), name));
        Optional<Long> agoMs = RequestFields.wholeNumber(json, "agoMs").filter(ago -> ago >= 0 && ago <= MAX_AGO_MS);
        if (host.isEmpty() || operation.isEmpty() || outcome.isEmpty() || agoMs.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(DataNodeObservation.byClient(
                observer(instance),
                PrintableName.of(host.get()),
                outcome.get(),
                operation.get().words(outcome.get()),
                nowMs - agoMs.get()));
    }

    private static <T extends Enum<T>> Optional<T> constant(T[] constants, String name) {
        return Arrays.stream(constants)
                .filter(one -> one.name().equalsIgnoreCase(name))
                .findFirst();
    }
}
