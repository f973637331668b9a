package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.search.DirectedPlanner;
import java.util.Arrays;
import java.util.Map;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.NotCompliantMBeanException;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;

class BalancerViewTest {

    private final BalancerView view = new BalancerView(
            new BalanceEngine(
                    BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan),
            () -> 0);

    /** The master's /jmx page renders every attribute for everybody who looks at anything. */
    @Test
    void whatMayBeLargeIsAnOperation() throws NotCompliantMBeanException {
        MBeanInfo info = new StandardMBean(view, BalancerViewMXBean.class, true).getMBeanInfo();

        assertThat(names(info.getAttributes()))
                .containsExactlyInAnyOrder("Mode", "LastPlan", "PlanSummariesJson", "PinsJson", "LedgerJson");
        assertThat(names(info.getOperations())).containsExactlyInAnyOrder("plansJson", "snapshotOfLastPlan");
    }

    private static String[] names(MBeanFeatureInfo[] features) {
        return Arrays.stream(features).map(MBeanFeatureInfo::getName).toArray(String[]::new);
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
