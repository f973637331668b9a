package io.hearth.healing.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.fakes.Memories;
import io.hearth.healing.history.HealEnd;
import io.hearth.healing.history.HealOutcome;
import io.hearth.healing.loop.HealingMemory;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class HealingViewTest {

    @Test
    void showsAndPausesThroughJmx() throws Exception {
        HealingMemory memory = Memories.alone();
        HealingView older = new HealingView(Memories.alone());
        older.register();
        HealingView view = new HealingView(memory);
        view.register();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(HealingView.NAME);
        HealOutcome outcome = new HealOutcome(
                Instant.EPOCH, new RegionId("r"), new TableId("t"), new ServerId("h", 1, 1), HealEnd.LEFT, 5, 1, 2, 3);
        memory.history().add(outcome);

        assertThat((String[]) server.getAttribute(name, "LastHeals")).containsExactly(outcome.toString());
        server.invoke(name, "pause", new Object[] {"maintenance"}, new String[] {"java.lang.String"});
        assertThat(memory.brake().paused()).contains("maintenance");
        assertThat(server.getAttribute(name, "Paused")).isEqualTo("maintenance");
        server.invoke(name, "resume", new Object[0], new String[0]);
        assertThat(memory.brake().paused()).isEmpty();
        assertThat(server.getAttribute(name, "Alarm")).isEqualTo("");
        older.unregister();
        assertThat(server.isRegistered(name)).as("that of the other").isTrue();
        view.unregister();
        assertThat(server.isRegistered(name)).isFalse();
    }
}
