// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Arrays;
import java.util.Map;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.NotCompliantMBeanException;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;

class BalancerViewTest {

    private final BalanceEngine engine = new BalanceEngine(
            BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);
    private final BalancerView view = new BalancerView(engine, () -> 0);

    /** The master's /jmx page renders every attribute for everybody who looks at anything. */
    @Test
    void whatMayBeLargeIsAnOperation() throws NotCompliantMBeanException {
        MBeanInfo info = new StandardMBean(view, BalancerViewMXBean.class, true).getMBeanInfo();

        assertThat(names(info.getAttributes()))
                .containsExactlyInAnyOrder(
                        "Mode",
                        "LastPlan",
                        "PlanSummariesJson",
                        "AdviceJson",
                        "AdviceDaysJson",
                        "PinsJson",
                        "PredictionsJson");
        assertThat(names(info.getOperations()))
                .containsExactlyInAnyOrder("plansJson", "adviceRunsJson", "removePin", "snapshotOfLastPlan");
    }

    private static String[] names(MBeanFeatureInfo[] features) {
        return Arrays.stream(features).map(MBeanFeatureInfo::getName).toArray(String[]::new);
    }

    @Test
    void aPinCanBeLifted() {
        ServerId from = new ServerId("a", 16020, 1);
        ServerId to = new ServerId("b", 16020, 1);
        engine.tracker().regionMovedManually(new EncodedRegionName("r"), new TableId("t"), from, to, "ann", false, 0);
        assertThat(view.getPinsJson()).contains("\"who\":\"ann\"");

        assertThat(view.removePin("r")).isTrue();
        assertThat(view.removePin("r")).isFalse();
        assertThat(view.getPinsJson()).isEqualTo("[]");
    }

    @Test
    void thereIsNothingToShowBeforeTheFirstPlan() {
        assertThat(view.getMode()).isEqualTo("act");
        assertThat(view.getLastPlan()).isEmpty();
        assertThat(view.getPlanSummariesJson()).isEqualTo("[]");
        assertThat(view.plansJson()).isEqualTo("[]");
        assertThat(view.snapshotOfLastPlan()).isEmpty();
    }
}
