// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.core.HealerState;
import io.hearth.healer.history.HealHistory.HealRecord;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Healing's word in JMX. Thread-safe. Of several masters in one JVM the last one is seen. */
public final class HealingView implements HealingViewMXBean {

    /** Beside HBase's own beans of the master. */
    public static final String NAME = "Hadoop:service=HBase,name=Master,sub=HearthHealingView";

    /** What is registered is of this one, so that an older one does not take it away. */
    private static final AtomicReference<HealingView> SHOWN = new AtomicReference<>();

    private final HealerState healerState;

    HealingView(HealerState healerState) {
        this.healerState = healerState;
    }

    /** Shows it in the place of what was there. A failure is thrown: it is the caller's to count. */
    void register() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(NAME);
        if (server.isRegistered(name)) {
            server.unregisterMBean(name);
        }
        server.registerMBean(this, name);
        SHOWN.set(this);
    }

    /** Takes it away, unless another one is shown in its place. */
    void unregister() throws JMException {
        if (SHOWN.compareAndSet(this, null)) {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
        }
    }

    @Override
    public String getPaused() {
        return healerState.pauseSwitch().paused().orElse("");
    }

    @Override
    public String getAlarm() {
        return healerState.pauseSwitch().alarm().orElse("");
    }

    @Override
    public List<String> getLastHeals() {
        return healerState.history().newestFirst().stream()
                .map(HealRecord::toString)
                .toList();
    }

    @Override
    public void pause(String why) {
        healerState.pauseSwitch().pause(why);
    }

    @Override
    public void resume() {
        healerState.pauseSwitch().resume();
    }
}
