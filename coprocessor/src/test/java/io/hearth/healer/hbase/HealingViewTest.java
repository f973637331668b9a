// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.core.HealerState;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.history.HealHistory.HealEndState;
import io.hearth.healer.history.HealHistory.HealRecord;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class HealingViewTest {

    @Test
    void showsAndPausesThroughJmx() throws Exception {
        HealerState healerState = HealerStates.alone();
        HealingView older = new HealingView(HealerStates.alone());
        older.register();
        HealingView view = new HealingView(healerState);
        view.register();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(HealingView.NAME);
        HealRecord outcome = new HealRecord(
                Instant.EPOCH,
                new EncodedRegionName("r"),
                new TableId("t"),
                new ServerId("h", 1, 1),
                HealEndState.REGION_MOVED,
                5,
                1,
                2,
                3);
        healerState.history().add(outcome);

        assertThat((String[]) server.getAttribute(name, "LastHeals")).containsExactly(outcome.toString());
        server.invoke(name, "pause", new Object[] {"maintenance"}, new String[] {"java.lang.String"});
        assertThat(healerState.pauseSwitch().paused()).contains("maintenance");
        assertThat(server.getAttribute(name, "Paused")).isEqualTo("maintenance");
        server.invoke(name, "resume", new Object[0], new String[0]);
        assertThat(healerState.pauseSwitch().paused()).isEmpty();
        assertThat(server.getAttribute(name, "Alarm")).isEqualTo("");
        older.unregister();
        assertThat(server.isRegistered(name)).as("that of the other").isTrue();
        view.unregister();
        assertThat(server.isRegistered(name)).isFalse();
    }
}
