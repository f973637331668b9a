package io.hearth.web.hbase;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.hbase.Names;
import io.hearth.balancer.load.RegionId;
import io.hearth.healing.hbase.HealingDesk;
import io.hearth.web.config.PageConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator may ask for under {@code /hearth/api/actions/}, past the {@link ActionGate}. Each is logged with who asked for it.
 * Nothing waits: healing and balancing take it up by themselves.
 */
final class PageActions {

    private static final Logger LOG = LoggerFactory.getLogger(PageActions.class);
    private static final int MOST_BYTES = 16_384;
    private static final String NO_HEALER = "This master has no healer.";
    private static final String NO_BALANCER = "This master's balancer is not Hearth's.";

    private final HMaster master;
    private final PageMetrics metrics;
    private final ActionGate gate;

    PageActions(HMaster master, PageConfig config, PageMetrics metrics) {
        this.master = master;
        this.metrics = metrics;
        this.gate = new ActionGate(master, config);
    }

    /** The answer to a request under {@code /hearth/api/actions}: a GET of that asks whether there are any for this user. */
    Answer of(String path, HttpServletRequest request) throws IOException {
        if (path.equals(Paths.ACTIONS) && request.getMethod().equals("GET")) {
            return whoMay(request);
        }
        String name = path.equals(Paths.ACTIONS) ? "" : path.substring(Paths.ACTIONS.length() + 1);
        Optional<PageAction> action = PageAction.of(name);
        if (action.isEmpty()) {
            return PageAnswers.notFound(path);
        }
        Optional<Answer> refusal = gate.refusal(name, request);
        if (refusal.isPresent()) {
            metrics.actionRefused();
            LOG.info("{} was refused to {} by the page.", name, request.getRemoteUser());
            return refusal.get();
        }
        return act(action.get(), request);
    }

    private Answer whoMay(HttpServletRequest request) {
        Optional<String> readOnly = gate.whyReadOnly(request);
        JsonObject json = new JsonObject();
        json.addProperty("allowed", readOnly.isEmpty());
        readOnly.ifPresent(why -> json.addProperty("why", why));
        return Answer.json(Answer.OK, json);
    }

    private Answer act(PageAction action, HttpServletRequest request) throws IOException {
        JsonObject wish;
        try {
            wish = body(request);
        } catch (JsonParseException | IllegalStateException unreadable) {
            return Answer.problem(
                    Answer.BAD_REQUEST,
                    "The body must be a JSON object of at most " + MOST_BYTES + " bytes, such as {\"table\": \"t\"}.");
        }
        String who = request.getRemoteUser();
        Answer answer =
                switch (action) {
                    case PAUSE_HEALING, RESUME_HEALING, HEAL ->
                        HealingDesk.of(master.getConfiguration())
                                .map(desk -> heal(action, desk, wish, who))
                                .orElseGet(() -> Answer.problem(Answer.NOT_FOUND, NO_HEALER));
                    case LIFT_PIN, ADVISE, ACT ->
                        MasterLinks.engine(master.getConfiguration())
                                .map(engine -> balance(action, engine, wish, who))
                                .orElseGet(() -> Answer.problem(Answer.NOT_FOUND, NO_BALANCER));
                };
        if (answer.status() == Answer.OK) {
            metrics.acted();
            LOG.info("{} {} was asked for by {} on the page.", action.path(), wish, who);
        }
        return answer;
    }

    private static JsonObject body(HttpServletRequest request) throws IOException {
        byte[] bytes = request.getInputStream().readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalStateException("too long");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.isBlank() ? new JsonObject() : JsonParser.parseString(text).getAsJsonObject();
    }

    private Answer heal(PageAction action, HealingDesk desk, JsonObject wish, String who) {
        switch (action) {
            case PAUSE_HEALING -> {
                desk.brake().pause(who + " on the master's page");
                return done("Healing starts no more moves until it is resumed; the next master knows nothing of it.");
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
        Optional<String> table = text(wish, "table");
        if (region.isPresent() == table.isPresent()) {
            return Answer.problem(Answer.BAD_REQUEST, "heal needs either a region (its encoded name) or a table.");
        }
        List<RegionId> regions = region.map(this::ofRegion).orElseGet(() -> ofTable(table.orElse("")));
        if (regions.isEmpty()) {
            return Answer.problem(
                    Answer.NOT_FOUND,
                    region.map(name -> "There is no region " + name + ".")
                            .orElseGet(() -> "There is no table " + table.orElse("") + " with regions."));
        }
        desk.healNow(regions);
        return done("Asked for " + regions.size() + (regions.size() == 1 ? " region" : " regions")
                + ": looked at next, where HEARTH_HEAL of the table is not off.");
    }

    private List<RegionId> ofRegion(String encodedName) {
        return regionStates().getRegionStateNodeFromEncodedRegionName(encodedName) == null
                ? List.of()
                : List.of(new RegionId(encodedName));
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

    private static Answer balance(PageAction action, BalanceEngine engine, JsonObject wish, String who) {
        long nowMs = EnvironmentEdgeManager.currentTime();
        switch (action) {
            case LIFT_PIN -> {
                return liftPin(engine, wish, who, nowMs);
            }
            case ADVISE -> {
                engine.steering().adviseOnly(who, nowMs);
                return done("Plans are advice from the next run on; the next master knows nothing of it.");
            }
            case ACT -> {
                engine.steering().actAgain(who, nowMs);
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

    private static Answer liftPin(BalanceEngine engine, JsonObject wish, String who, long nowMs) {
        Optional<String> region = text(wish, "region").filter(name -> !name.isEmpty());
        if (region.isEmpty()) {
            return Answer.problem(Answer.BAD_REQUEST, "lift-pin needs a region (its encoded name).");
        }
        return engine.steering().liftPin(new RegionId(region.get()), who, nowMs)
                ? done("The pin is lifted.")
                : Answer.problem(Answer.NOT_FOUND, "The region " + region.get() + " is not pinned by a move by hand.");
    }

    private static Optional<String> text(JsonObject wish, String name) {
        JsonElement value = wish.get(name);
        return value != null && value.isJsonPrimitive() ? Optional.of(value.getAsString()) : Optional.empty();
    }

    private static Answer done(String what) {
        JsonObject json = new JsonObject();
        json.addProperty("done", what);
        return Answer.json(Answer.OK, json);
    }
}
