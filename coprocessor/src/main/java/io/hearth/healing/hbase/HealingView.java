package io.hearth.healing.hbase;

import io.hearth.healing.history.HealOutcome;
import io.hearth.healing.loop.HealingMemory;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Healing's word in JMX. Thread-safe. Of several masters in one JVM the last one is seen. */
public final class HealingView implements HealingViewMXBean {

    /** Beside HBase's own beans of the master. */
    public static final String NAME = "Hadoop:service=HBase,name=Master,sub=HearthHealingView";

    private final HealingMemory memory;

    HealingView(HealingMemory memory) {
        this.memory = memory;
    }

    /** Shows it in the place of what was there. A failure is thrown: it is the caller's to count. */
    void register() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(NAME);
        if (server.isRegistered(name)) {
            server.unregisterMBean(name);
        }
        server.registerMBean(this, name);
    }

    @Override
    public String getPaused() {
        return memory.brake().paused().orElse("");
    }

    @Override
    public String getAlarm() {
        return memory.brake().alarm().orElse("");
    }

    @Override
    public List<String> getLastHeals() {
        return memory.history().newestFirst().stream()
                .map(HealOutcome::toString)
                .toList();
    }

    @Override
    public void pause(String why) {
        memory.brake().pause(why);
    }

    @Override
    public void resume() {
        memory.brake().resume();
    }
}
