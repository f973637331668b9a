// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.balancer.engine.BrakeLeases;
import io.hearth.balancer.engine.BrakeLeases.RefusedLeaseException;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.ui.hbase.ApiResponse;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an SLO watch asks for while an objective is in danger: that this master's healer and balancer rest. Immutable.
 *
 * @param leaseSeconds for how long from now on; 0 ends what this instance has asked for before
 */
record BrakeRequest(String instance, String reason, long leaseSeconds) {

    private static final Logger LOG = LoggerFactory.getLogger(BrakeRequest.class);

    /** The answer to this request, which has {@code instance}, {@code reason} and {@code leaseSeconds}. */
    static ApiResponse answer(JsonObject request, Configuration master, String caller, long monotonicMs) {
        Optional<String> instance = RequestFields.text(request, "instance");
        Optional<String> reason = RequestFields.text(request, "reason");
        Optional<Long> leaseSeconds = RequestFields.wholeNumber(request, "leaseSeconds");
        if (instance.isEmpty() || reason.isEmpty() || leaseSeconds.isEmpty()) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "brake needs instance and reason, both texts, and leaseSeconds, a whole number.");
        }
        return new BrakeRequest(instance.get(), reason.get(), leaseSeconds.get()).answer(master, caller, monotonicMs);
    }

    private ApiResponse answer(Configuration master, String caller, long monotonicMs) {
        if (!MasterComponentRegistry.mayBrake(master)) {
            return answer(Optional.empty(), "hearth.slo.brake is not on: nothing is braked.");
        }
        BrakeLeases leases = MasterComponentRegistry.brakeLeases(master);
        Optional<String> before = leases.inForce(monotonicMs);
        try {
            leases.renew(instance, reason, leaseSeconds, monotonicMs);
        } catch (RefusedLeaseException refused) {
            return ApiResponse.problem(ApiResponse.BAD_REQUEST, String.valueOf(refused.getMessage()));
        }
        Optional<String> now = leases.inForce(monotonicMs);
        if (before.isEmpty() && now.isPresent()) {
            LOG.info("Healing and balancing rest, as {} asks: {}.", caller, now.get());
        } else if (before.isPresent() && now.isEmpty()) {
            LOG.info("The brake is released by {}.", caller);
        }
        return answer(
                now, now.map(why -> "Healing and balancing rest: " + why + ".").orElse("Nothing is braked."));
    }

    private static ApiResponse answer(Optional<String> braked, String what) {
        JsonObject json = new JsonObject();
        json.addProperty("braked", braked.isPresent());
        json.addProperty("done", what);
        braked.ifPresent(why -> json.addProperty("why", why));
        return ApiResponse.json(ApiResponse.OK, json);
    }
}
