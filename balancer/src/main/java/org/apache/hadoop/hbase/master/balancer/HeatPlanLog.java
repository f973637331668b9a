package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.steering.SteeringNews;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.slf4j.Logger;

/** Writes a plan into the master's log: what it changes, each move with its reason, each hot region that stays with its. */
final class HeatPlanLog {

    private final Logger log;

    HeatPlanLog(Logger log) {
        this.log = log;
    }

    void decided(Decision decision) {
        String scope = decision.scope();
        if (!decision.saysSomething()) {
            log.debug("Heat plan for {}: {}", scope, decision.plan().summary());
            return;
        }
        log.info("Heat plan for {}: {}", scope, decision.plan().summary());
        decision.plan().moves().forEach(this::move);
        decision.plan().notMoved().forEach(this::notMoved);
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

    private void notMoved(NotMoved left) {
        log.info(
                "Heat plan: {} of {} stays on {}, which is above its share of {}: {}",
                left.region(),
                left.table(),
                left.server(),
                left.because().label(),
                left.why());
    }

    /** No plan of Hearth's is carried out; this is what would have been, and what the stock balancer would do. */
    void advised(Decision decision, int stockMoves, Map<LoadDimension, Double> stockMaxOverMeanAfter) {
        if (decision.plan().moves().isEmpty() && stockMoves == 0) {
            return;
        }
        StringJoiner stock = new StringJoiner(", ");
        stockMaxOverMeanAfter.forEach((dimension, after) -> stock.add(String.format(
                Locale.ROOT,
                "%s %.2f -> %.2f",
                dimension.label(),
                decision.plan().outcome(dimension).maxOverMeanBefore(),
                after)));
        log.info(
                "{} for {}, because {}. Hearth would make {}. The stock balancer would make {} moves; max/mean of {}.",
                decision.nothingMoves() ? "Nothing is moved" : "Nothing is moved for the sake of heat",
                decision.scope(),
                decision.adviseOnly().orElse("it is not to be"),
                decision.plan().summary(),
                stockMoves,
                stock);
    }

    /** What happened to pins, moves in flight and the ledger. */
    void news(Collection<SteeringNews> all) {
        for (SteeringNews news : all) {
            switch (news.kind()) {
                case RUN_WRONG, ADVISE_ONLY -> log.warn("{}.", news.text());
                case MOVE_DROPPED,
                        MOVE_WENT_ASTRAY,
                        REGION_FROZEN,
                        HAND_PIN_SET,
                        HAND_MOVE_NOT_PINNED,
                        BULK_MOVE,
                        HAND_PIN_OVER,
                        CLUSTER_CHANGED,
                        ACTS_AGAIN -> log.info("{}.", news.text());
            }
        }
    }
}
