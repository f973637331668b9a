// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Asks the active master of a cluster by RPC. Stateless. */
public final class HearthAdminClient {

    private HearthAdminClient() {}

    /**
     * The master's answer; empty where Hearth's endpoint is not in it.
     *
     * @throws org.apache.hadoop.hbase.security.AccessDeniedException if the user has not the ADMIN permission
     * @throws IOException if the master can't be asked
     */
    public static Optional<ApiResponse> ask(Admin admin, AdminCall ask, String json) throws IOException {
        try {
            return Optional.of(HearthAdminService.ask(admin, ask, json));
        } catch (UnknownProtocolException notInstalled) {
            return Optional.empty();
        }
    }

    /**
     * Has the master's healer and balancer rest from now on, in the place of what this instance has asked for before. The answer has {@code
     * braked}, whether anybody brakes now; the next master knows nothing of it.
     *
     * @param instance the name of the watch that asks
     * @param reason why, as an operator reads it
     * @param leaseSeconds for how long, at most {@link io.hearth.balancer.engine.BrakeLeases#MAX_LEASE_SECONDS}; 0 ends it
     * @return empty, and the exceptions, as for {@link #ask}
     */
    public static Optional<ApiResponse> brake(Admin admin, String instance, String reason, int leaseSeconds)
            throws IOException {
        JsonObject request = new JsonObject();
        request.addProperty("instance", instance);
        request.addProperty("reason", reason);
        request.addProperty("leaseSeconds", leaseSeconds);
        return ask(admin, AdminCall.BRAKE, request.toString());
    }

    /**
     * Tells the master how DataNodes have served an SLO watch. That is forgotten once the lease is over, unless it is renewed.
     *
     * @param instance the name of the watch
     * @param leaseSeconds for how long, at most {@link io.hearth.balancer.engine.BrakeLeases#MAX_LEASE_SECONDS}; 0 has all that this
     *     instance has said forgotten at once
     * @param dataNodes a JSON object for each: {@code host}, {@code operation} (write or read), {@code outcome} (GOOD, SLOW or FAILED), and
     *     {@code agoMs}
     * @return empty, and the exceptions, as for {@link #ask}
     */
    public static Optional<ApiResponse> reportDataNodes(
            Admin admin, String instance, int leaseSeconds, JsonArray dataNodes) throws IOException {
        JsonObject request = new JsonObject();
        request.addProperty("instance", instance);
        request.addProperty("leaseSeconds", leaseSeconds);
        request.add("dataNodes", dataNodes);
        return ask(admin, AdminCall.REPORT_DATANODES, request.toString());
    }
}
