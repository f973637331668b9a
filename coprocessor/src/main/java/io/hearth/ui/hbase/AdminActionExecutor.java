// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.common.log.PrintableName;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.hbase.HealerAdmin;
import io.hearth.ui.model.PageInput.HealerStatus.State;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator may ask of one master, by the page or by RPC, past whatever gate there is. Each is logged with who asked for
 * it. Nothing waits: healing and balancing take it up by themselves.
 */
public final class AdminActionExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(AdminActionExecutor.class);
    private static final String NO_HEALER = "This master has no healer.";
    private static final String NO_BALANCER = "This master's balancer is not Hearth's.";

    private static final int MAX_LOGGED_CHARACTERS = 80;

    private final HMaster master;

    /**
     * Who asks. Immutable.
     *
     * @param name the user's, on one line: characters that would break one are replaced
     * @param how by which way, as the end of a sentence: {@code on the master's page}
     */
    public record Caller(String name, String how) {

        public Caller {
            name = PrintableName.of(name);
        }
    }

    public AdminActionExecutor(HMaster master) {
        this.master = master;
    }

    /** Does it, or says why not. */
    public ApiResponse act(AdminAction action, JsonObject parameters, Caller caller) {
        ApiResponse answer =
                switch (action) {
                    case PAUSE_HEALING, RESUME_HEALING, HEAL ->
                        HealerAdmin.of(master.getConfiguration())
                                .map(healerAdmin -> heal(action, healerAdmin, parameters, caller))
                                .orElseGet(() -> ApiResponse.problem(ApiResponse.NOT_FOUND, NO_HEALER));
                    case REMOVE_PIN, ADVISE, ACT ->
                        MasterComponentRegistry.engine(master.getConfiguration())
                                .map(engine -> balance(action, engine, parameters, caller))
                                .orElseGet(() -> noBalancer(master));
                };
        if (answer.status() == ApiResponse.OK) {
            LOG.info("{}{} was asked for by {} {}.", action.path(), named(parameters), caller.name(), caller.how());
        }
        return answer;
    }

    /** What there is to say where nobody of Hearth's plans in this master. */
    public static ApiResponse noBalancer(HMaster master) {
        return MasterComponentRegistry.whyBalancerRests(master.getConfiguration())
                .map(why -> ApiResponse.problem(
                        ApiResponse.UNAVAILABLE, "Hearth's balancer plans nothing, because " + why + "."))
                .orElseGet(() -> ApiResponse.problem(ApiResponse.NOT_FOUND, NO_BALANCER));
    }

    private ApiResponse heal(AdminAction action, HealerAdmin healerAdmin, JsonObject parameters, Caller caller) {
        switch (action) {
            case PAUSE_HEALING -> {
                healerAdmin.pauseSwitch().pause(caller.name() + " " + caller.how());
                return done("Healing starts no more moves until it is resumed, also under the next master.");
            }
            case RESUME_HEALING -> {
                healerAdmin.pauseSwitch().resume();
                return done(
                        healerAdmin.config().policy().paused()
                                ? "The manual pause is over, but hearth.heal.paused is true in hbase-site.xml and holds."
                                : "Healing continues.");
            }
            case HEAL -> {
                return healNow(healerAdmin, parameters);
            }
            case REMOVE_PIN, ADVISE, ACT -> throw new IllegalArgumentException(action + " is not about healing");
        }
        throw new IllegalArgumentException("no such action");
    }

    private ApiResponse healNow(HealerAdmin healerAdmin, JsonObject parameters) {
        Optional<String> region = text(parameters, "region");
        Optional<List<String>> regions = texts(parameters, "regions");
        Optional<String> table = text(parameters, "table");
        if (Stream.of(region, regions, table).filter(Optional::isPresent).count() != 1) {
            return ApiResponse.problem(
                    ApiResponse.BAD_REQUEST,
                    "heal needs one of region (an encoded name), regions (a list of them) and table.");
        }
        Optional<String> heal = text(parameters, "heal");
        if (table.isPresent()) {
            return healNow(
                    healerAdmin, heal, ofTable(table.get()), "There is no table " + table.get() + " with regions.");
        }
        List<String> names = regions.orElseGet(() -> List.of(region.orElseThrow()));
        return healNow(
                healerAdmin,
                heal,
                ofRegions(names),
                region.map(name -> "There is no region " + name + ".")
                        .orElse("None of these regions is there any more."));
    }

    private static ApiResponse healNow(
            HealerAdmin healerAdmin, Optional<String> heal, List<EncodedRegionName> regions, String problemIfNone) {
        if (regions.isEmpty()) {
            return ApiResponse.problem(ApiResponse.NOT_FOUND, problemIfNone);
        }
        State state = HealerStatusCollector.state(healerAdmin, EnvironmentEdgeManager.currentTime());
        JsonObject json = new JsonObject();
        json.addProperty(
                "done",
                "Asked for " + regions.size() + (regions.size() == 1 ? " region" : " regions")
                        + (state == State.ON
                                ? ": healed next, unless HEARTH_HEAL of the table is off."
                                : ", but nothing is moved now: healing is " + state.text() + "."));
        json.addProperty("heal", healerAdmin.healNow(heal, regions));
        return ApiResponse.json(ApiResponse.OK, json);
    }

    private List<EncodedRegionName> ofRegions(List<String> encodedNames) {
        RegionStates states = regionStates();
        return encodedNames.stream()
                .map(states::getRegionStateNodeFromEncodedRegionName)
                .filter(Objects::nonNull)
                .map(node -> HBaseNames.region(node.getRegionInfo()))
                .toList();
    }

    private List<EncodedRegionName> ofTable(String name) {
        try {
            List<RegionInfo> regions = regionStates().getRegionsOfTable(TableName.valueOf(name));
            return regions.stream().map(HBaseNames::region).toList();
        } catch (IllegalArgumentException noTableCanHaveThisName) {
            return List.of();
        }
    }

    private RegionStates regionStates() {
        return master.getAssignmentManager().getRegionStates();
    }

    private static ApiResponse balance(AdminAction action, BalanceEngine engine, JsonObject parameters, Caller caller) {
        long nowMs = EnvironmentEdgeManager.currentTime();
        switch (action) {
            case REMOVE_PIN -> {
                return removePin(engine, parameters, caller, nowMs);
            }
            case ADVISE -> {
                engine.tracker().adviseOnly(caller.name(), nowMs);
                return done(
                        "Plans are advice from the next run on, and the stock balancer plans and acts alone; the next master knows nothing of it.");
            }
            case ACT -> {
                engine.tracker().resumeActing(caller.name(), nowMs);
                return done(engine.tracker()
                        .adviseOnly()
                        .map(why -> "Plans stay advice: " + why + ".")
                        .orElse("Plans are carried out from the next run on."));
            }
            case PAUSE_HEALING, RESUME_HEALING, HEAL ->
                throw new IllegalArgumentException(action + " is not about plans");
        }
        throw new IllegalArgumentException("no such action");
    }

    private static ApiResponse removePin(BalanceEngine engine, JsonObject parameters, Caller caller, long nowMs) {
        Optional<String> region = text(parameters, "region").filter(name -> !name.isEmpty());
        if (region.isEmpty()) {
            return ApiResponse.problem(ApiResponse.BAD_REQUEST, "remove-pin needs a region (its encoded name).");
        }
        return engine.tracker().removePin(new EncodedRegionName(region.get()), caller.name(), nowMs)
                ? done("The pin is removed.")
                : ApiResponse.problem(
                        ApiResponse.NOT_FOUND, "The region " + region.get() + " is not pinned by a manual move.");
    }

    private static Optional<String> text(JsonObject parameters, String name) {
        JsonElement value = parameters.get(name);
        return value != null && value.isJsonPrimitive() ? Optional.of(value.getAsString()) : Optional.empty();
    }

    /** Empty where there is no list of texts of that name. */
    private static Optional<List<String>> texts(JsonObject parameters, String name) {
        JsonElement value = parameters.get(name);
        return value instanceof JsonArray all && all.asList().stream().allMatch(JsonElement::isJsonPrimitive)
                ? Optional.of(
                        all.asList().stream().map(JsonElement::getAsString).toList())
                : Optional.empty();
    }

    /** What the request names of what an action can be about, for a line of the log: nothing else of it can fill the line. */
    static String named(JsonObject parameters) {
        StringBuilder named = new StringBuilder();
        text(parameters, "table").ifPresent(table -> named.append(" table ").append(shortened(table)));
        text(parameters, "region").ifPresent(region -> named.append(" region ").append(shortened(region)));
        texts(parameters, "regions")
                .ifPresent(
                        regions -> named.append(" of ").append(regions.size()).append(" regions"));
        return named.toString();
    }

    private static String shortened(String name) {
        String line = PrintableName.of(name);
        return line.length() <= MAX_LOGGED_CHARACTERS ? line : line.substring(0, MAX_LOGGED_CHARACTERS) + "...";
    }

    private static ApiResponse done(String what) {
        JsonObject json = new JsonObject();
        json.addProperty("done", what);
        return ApiResponse.json(ApiResponse.OK, json);
    }

    /** What an operator may ask for; the name in a path is that of the constant, with hyphens. */
    public enum AdminAction {
        PAUSE_HEALING,
        RESUME_HEALING,
        HEAL,
        REMOVE_PIN,
        ADVISE,
        ACT;

        String path() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Optional<AdminAction> of(String path) {
            for (AdminAction action : values()) {
                if (action.path().equals(path)) {
                    return Optional.of(action);
                }
            }
            return Optional.empty();
        }
    }
}
