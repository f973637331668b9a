package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.plan.NotMoved;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlannedMove;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;

/** Writes a plan into the master's log: what it changes, each move with its reason, each hot region that stays with its. */
final class HeatPlanLog {

    private HeatPlanLog() {}

    static void write(Logger log, TableName table, Plan plan) {
        if (plan.moves().isEmpty() && plan.notMoved().isEmpty()) {
            log.debug("Heat plan for {}: {}", table, plan.summary());
            return;
        }
        log.info("Heat plan for {}: {}", table, plan.summary());
        for (PlannedMove move : plan.moves()) {
            log.info(
                    "Heat plan: {} of {} from {} to {} for {}",
                    move.region(),
                    move.table(),
                    move.from(),
                    move.to(),
                    move.because().label());
        }
        for (NotMoved left : plan.notMoved()) {
            log.info(
                    "Heat plan: {} of {} stays on {}, which is above its share of {}: {}",
                    left.region(),
                    left.table(),
                    left.server(),
                    left.because().label(),
                    left.why());
        }
    }
}
