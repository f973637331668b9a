// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.heat.SuspectServer;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.tracking.TrackerEvent;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;

/** Writes a plan into the master's log: what it changes, what each move is for, and each hot region that stays with the reason. */
@NullMarked
final class PlanLogger {

    private final Logger log;
    private Set<ServerId> suspects = Set.of();
    private Set<String> flapping = Set.of();

    PlanLogger(Logger log) {
        this.log = log;
    }

    void decided(Decision decision) {
        String scope = decision.scope();
        if (!decision.isNotable()) {
            log.debug("Heat plan for {}: {}", scope, decision.plan().summary());
            return;
        }
        log.info("Heat plan for {}: {}", scope, decision.plan().summary());
        decision.plan().moves().forEach(this::move);
        decision.plan().unmovedRegions().forEach(left -> log.info("Heat plan: {}", left.text()));
        if (log.isDebugEnabled()) {
            decision.plan().explain().forEach(line -> log.debug("Heat plan for {}: {}", scope, line));
        }
    }

    private void move(PlannedMove move) {
        log.info(
                "Heat plan: {} of {} from {} to {} for {}",
                move.region(),
                move.table(),
                move.from(),
                move.to(),
                move.because().label());
    }

    /**
     * Hearth only advises; this is what it would do, and what the stock balancer does.
     *
     * @param stockActsAlone whether the stock plan is carried out as without Hearth; else what Hearth lets through of it
     */
    void advised(Advice advice, boolean stockActsAlone) {
        if (!advice.isNotable()) {
            log.debug("Advice for {}: neither Hearth nor the stock balancer would move anything.", advice.scope());
            return;
        }
        Advice.StockPlan stock = advice.stock();
        log.info(
                "Advice only for {}, because {}. Hearth would make {}. The stock balancer{} makes {} moves: max/mean of {};"
                        + " {}.",
                advice.scope(),
                advice.why(),
                advice.hearth(),
                stockActsAlone ? "" : ", as far as Hearth lets it,",
                stock.moves(),
                change(advice.before(), stock.maxOverMeanAfter()),
                stock.costs());
        if (stockActsAlone) {
            stock.firstMoves().forEach(move -> log.info("The stock balancer moves {}.", move));
        }
    }

    /** What came of a run in which the stock balancer acted and Hearth advised. */
    void outcome(Advice advice) {
        log.info(
                "What came of the stock balancer's {} moves of {} for {}: max/mean of {}. Hearth's {} moves were to lead to {}.",
                advice.stock().moves(),
                Instant.ofEpochMilli(advice.atMs()).truncatedTo(ChronoUnit.SECONDS),
                advice.scope(),
                change(advice.before(), advice.observed()),
                advice.hearthMoves(),
                change(advice.before(), advice.hearthAfter()));
    }

    private static String change(Map<LoadDimension, Double> before, Map<LoadDimension, Double> after) {
        StringJoiner text = new StringJoiner(", ");
        for (LoadDimension dimension : LoadDimension.values()) {
            if (before.containsKey(dimension) && after.containsKey(dimension)) {
                text.add(String.format(
                        Locale.ROOT,
                        "%s %.2f -> %.2f",
                        dimension.label(),
                        before.get(dimension),
                        after.get(dimension)));
            }
        }
        return text.length() == 0 ? "too little heat to weigh" : text.toString();
    }

    /** Says which servers have become suspect since the last call, and which are none any more. */
    void suspects(List<SuspectServer> now) {
        for (SuspectServer suspect : now) {
            if (!suspects.contains(suspect.server())) {
                log.warn(
                        "{} is given no regions for the sake of heat, and its regions keep the heat that they had: {}.",
                        suspect.server(),
                        suspect.why());
            }
        }
        Set<ServerId> named = now.stream().map(SuspectServer::server).collect(Collectors.toSet());
        suspects.stream()
                .filter(server -> !named.contains(server))
                .forEach(server -> log.info("{} is not suspect any more: its rates count again.", server));
        suspects = named;
    }

    /** Says which servers flap since the last call, and which do not any more; one that restarts once more is the same. */
    void flapping(Map<ServerId, String> now) {
        Set<String> places = now.keySet().stream().map(PlanLogger::place).collect(Collectors.toSet());
        now.forEach((server, why) -> {
            if (!flapping.contains(place(server))) {
                log.warn("{} is given no regions for the sake of heat: {}.", server, why);
            }
        });
        flapping.stream()
                .filter(place -> !places.contains(place))
                .forEach(place -> log.info("{} does not flap any more: it gets regions again.", place));
        flapping = places;
    }

    private static String place(ServerId server) {
        return server.host() + ":" + server.port();
    }

    /** What happened to pins, moves in flight and the prediction log. */
    void events(Collection<TrackerEvent> all) {
        for (TrackerEvent events : all) {
            switch (events.kind()) {
                case RUN_MISPREDICTED, ADVISE_ONLY, MOVE_NOT_OPENED -> log.warn("{}.", events.text());
                case MOVE_DROPPED,
                        MOVE_MISDIRECTED,
                        REGION_OSCILLATING,
                        MANUAL_PIN_SET,
                        MANUAL_MOVE_NOT_PINNED,
                        BULK_MOVE,
                        MANUAL_PIN_ENDED,
                        CLUSTER_CHANGED,
                        LOAD_CHANGED,
                        ACT_RESUMED -> log.info("{}.", events.text());
            }
        }
    }
}
