package io.hearth.web.hbase;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.log.OneLine;
import io.hearth.healing.hbase.HealingDesk;
import java.util.List;
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
public final class MasterActions {

    private static final Logger LOG = LoggerFactory.getLogger(MasterActions.class);
    private static final String NO_HEALER = "This master has no healer.";
    public static final String NO_BALANCER = "This master's balancer is not Hearth's.";

    private static final int MOST_LOGGED_CHARACTERS = 80;

    private final HMaster master;

    /**
     * Who asks. Immutable.
     *
     * @param name the user's, on one line: characters that would break one are replaced
     * @param how by which way, as the end of a sentence: {@code on the master's page}
     */
    public record Asker(String name, String how) {

        public Asker {
            name = OneLine.of(name);
        }
    }

    public MasterActions(HMaster master) {
        this.master = master;
    }

    /** Does it, or says why not. */
    public Answer act(PageAction action, JsonObject wish, Asker asker) {
        Answer answer =
                switch (action) {
                    case PAUSE_HEALING, RESUME_HEALING, HEAL ->
                        HealingDesk.of(master.getConfiguration())
                                .map(desk -> heal(action, desk, wish, asker))
                                .orElseGet(() -> Answer.problem(Answer.NOT_FOUND, NO_HEALER));
                    case LIFT_PIN, ADVISE, ACT ->
                        MasterLinks.engine(master.getConfiguration())
                                .map(engine -> balance(action, engine, wish, asker))
                                .orElseGet(() -> Answer.problem(Answer.NOT_FOUND, NO_BALANCER));
                };
        if (answer.status() == Answer.OK) {
            LOG.info("{}{} was asked for by {} {}.", action.path(), named(wish), asker.name(), asker.how());
        }
        return answer;
    }

    private Answer heal(PageAction action, HealingDesk desk, JsonObject wish, Asker asker) {
        switch (action) {
            case PAUSE_HEALING -> {
                desk.brake().pause(asker.name() + " " + asker.how());
                return done("Healing starts no more moves until it is resumed, also under the next master.");
            }
            case RESUME_HEALING -> {
                desk.brake().resume();
                return done(
                        desk.config().conduct().paused()
                                ? "The pause by hand is over, but hearth.heal.paused is true in hbase-site.xml and holds."
                                : "Healing goes on.");
            }
            case HEAL -> {
                return healNow(desk, wish);
            }
            case LIFT_PIN, ADVISE, ACT -> throw new IllegalArgumentException(action + " is not about healing");
        }
        throw new IllegalArgumentException("no such action");
    }

    private Answer healNow(HealingDesk desk, JsonObject wish) {
        Optional<String> region = text(wish, "region");
        Optional<List<String>> regions = texts(wish, "regions");
        Optional<String> table = text(wish, "table");
        if (Stream.of(region, regions, table).filter(Optional::isPresent).count() != 1) {
            return Answer.problem(
                    Answer.BAD_REQUEST,
                    "heal needs one of region (an encoded name), regions (a list of them) and table.");
        }
        if (table.isPresent()) {
            return healNow(desk, ofTable(table.get()), "There is no table " + table.get() + " with regions.");
        }
        List<String> names = regions.orElseGet(() -> List.of(region.orElseThrow()));
        return healNow(
                desk,
                ofRegions(names),
                region.map(name -> "There is no region " + name + ".")
                        .orElse("None of these regions is there any more."));
    }

    private static Answer healNow(HealingDesk desk, List<RegionId> regions, String problemIfNone) {
        if (regions.isEmpty()) {
            return Answer.problem(Answer.NOT_FOUND, problemIfNone);
        }
        desk.healNow(regions);
        return done("Asked for " + regions.size() + (regions.size() == 1 ? " region" : " regions")
                + ": looked at next, where HEARTH_HEAL of the table is not off.");
    }

    private List<RegionId> ofRegions(List<String> encodedNames) {
        RegionStates states = regionStates();
        return encodedNames.stream()
                .filter(name -> states.getRegionStateNodeFromEncodedRegionName(name) != null)
                .map(RegionId::new)
                .toList();
    }

    private List<RegionId> ofTable(String name) {
        try {
            List<RegionInfo> regions = regionStates().getRegionsOfTable(TableName.valueOf(name));
            return regions.stream().map(Names::region).toList();
        } catch (IllegalArgumentException noTableCanHaveThisName) {
            return List.of();
        }
    }

    private RegionStates regionStates() {
        return master.getAssignmentManager().getRegionStates();
    }

    private static Answer balance(PageAction action, BalanceEngine engine, JsonObject wish, Asker asker) {
        long nowMs = EnvironmentEdgeManager.currentTime();
        switch (action) {
            case LIFT_PIN -> {
                return liftPin(engine, wish, asker, nowMs);
            }
            case ADVISE -> {
                engine.steering().adviseOnly(asker.name(), nowMs);
                return done(
                        "Plans are advice from the next run on, and the stock balancer plans and acts alone; the next master knows nothing of it.");
            }
            case ACT -> {
                engine.steering().actAgain(asker.name(), nowMs);
                return done(engine.steering()
                        .adviseOnly()
                        .map(why -> "Plans stay advice: " + why + ".")
                        .orElse("Plans are carried out from the next run on."));
            }
            case PAUSE_HEALING, RESUME_HEALING, HEAL ->
                throw new IllegalArgumentException(action + " is not about plans");
        }
        throw new IllegalArgumentException("no such action");
    }

    private static Answer liftPin(BalanceEngine engine, JsonObject wish, Asker asker, long nowMs) {
        Optional<String> region = text(wish, "region").filter(name -> !name.isEmpty());
        if (region.isEmpty()) {
            return Answer.problem(Answer.BAD_REQUEST, "lift-pin needs a region (its encoded name).");
        }
        return engine.steering().liftPin(new RegionId(region.get()), asker.name(), nowMs)
                ? done("The pin is lifted.")
                : Answer.problem(Answer.NOT_FOUND, "The region " + region.get() + " is not pinned by a move by hand.");
    }

    private static Optional<String> text(JsonObject wish, String name) {
        JsonElement value = wish.get(name);
        return value != null && value.isJsonPrimitive() ? Optional.of(value.getAsString()) : Optional.empty();
    }

    /** Empty where there is no list of texts of that name. */
    private static Optional<List<String>> texts(JsonObject wish, String name) {
        JsonElement value = wish.get(name);
        return value instanceof JsonArray all && all.asList().stream().allMatch(JsonElement::isJsonPrimitive)
                ? Optional.of(
                        all.asList().stream().map(JsonElement::getAsString).toList())
                : Optional.empty();
    }

    /** What the request names of what an action can be about, for a line of the log: nothing else of it can fill the line. */
    static String named(JsonObject wish) {
        StringBuilder named = new StringBuilder();
        text(wish, "table").ifPresent(table -> named.append(" table ").append(shortened(table)));
        text(wish, "region").ifPresent(region -> named.append(" region ").append(shortened(region)));
        texts(wish, "regions")
                .ifPresent(
                        regions -> named.append(" of ").append(regions.size()).append(" regions"));
        return named.toString();
    }

    private static String shortened(String name) {
        String line = OneLine.of(name);
        return line.length() <= MOST_LOGGED_CHARACTERS ? line : line.substring(0, MOST_LOGGED_CHARACTERS) + "...";
    }

    private static Answer done(String what) {
        JsonObject json = new JsonObject();
        json.addProperty("done", what);
        return Answer.json(Answer.OK, json);
    }
}
