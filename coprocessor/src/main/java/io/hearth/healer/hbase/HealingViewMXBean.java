// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.util.List;

/**
 * What healing does and what came of it, for the master's {@code /jmx} page and any JMX client: {@code
 * Hadoop:service=HBase,name=Master,sub=HearthHealingView}.
 */
public interface HealingViewMXBean {

    /** Who paused healing and why; empty where nobody did. */
    String getPaused();

    /** Why healing stopped by itself; empty where it did not. */
    String getAlarm();

    /** What came of the last heals, newest first, a line for each. */
    List<String> getLastHeals();

    /** Starts no more moves until {@link #resume}, whatever is configured and also under the next master. */
    void pause(String why);

    /** Ends a pause, and an alarm. */
    void resume();
}
