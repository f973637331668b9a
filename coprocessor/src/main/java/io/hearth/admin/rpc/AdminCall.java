// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.ui.hbase.AdminActionExecutor.AdminAction;
import io.hearth.ui.hbase.ApiResponse;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an operator asks of a master by RPC. */
public enum AdminCall {
    /** Everything that the page shows, in one. */
    GET_STATUS,
    /** What a run of the balancer would do now, with every move; makes a dry run. */
    GET_PLANS,
    /** What came of the heals that were asked for so far, newest first. */
    GET_HEALS,
    /** What a run of the balancer would do with some regions now, and why; makes a dry run. */
    EXPLAIN_REGIONS,
    /** Says that these moves of a plan are about to be made by a person's order. */
    ANNOUNCE_MOVES,
    /** Has the healer and the balancer rest for a minute at most, for an SLO watch. */
    BRAKE,
    /** Says how DataNodes have served the probes of an SLO watch. */
    REPORT_DATANODES,
    PAUSE_HEALING(AdminAction.PAUSE_HEALING),
    RESUME_HEALING(AdminAction.RESUME_HEALING),
    HEAL(AdminAction.HEAL),
    REMOVE_PIN(AdminAction.REMOVE_PIN),
    ADVISE(AdminAction.ADVISE),
    ACT(AdminAction.ACT);

    /** The service's name in the master. */
    public static final String SERVICE = "HearthAdmin";

    private final Optional<AdminAction> action;

    AdminCall() {
        action = Optional.empty();
    }

    AdminCall(AdminAction action) {
        this.action = Optional.of(action);
    }

    /** The action of the page that this is; empty where it is none. */
    public Optional<AdminAction> action() {
        return action;
    }

    /** The name of the RPC method, as it is in the master's audit log: {@code PauseHealing}. */
    String method() {
        return Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining());
    }

    static AdminCall ofMethod(String method) {
        return Arrays.stream(values())
                .filter(call -> call.method().equals(method))
                .findFirst()
                .orElseThrow();
    }

    /** Answers what an operator asks of one master. Thread-safe; answers at once. */
    interface AdminCallHandler {

        /**
         * The answer; there always is one, with its status: a service of HBase's that answers nothing is told to its caller as a message
         * that lacks fields.
         *
         * @param json what is asked for more closely, as a JSON object
         */
        ApiResponse answer(AdminCall call, String json);

        /** Says what failed, where no answer could be given; throws nothing. */
        void failed(String call, Throwable failure);
    }
}
