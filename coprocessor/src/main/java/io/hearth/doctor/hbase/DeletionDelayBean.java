// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import java.util.Set;

/**
 * The bean in which a DataNode shows its deletion delay; a test holds its names and the DataNode's together. The DataNode reads the
 * delay's keys again when its file changes, and its page {@code /conf} shows them as they were when it started. Stateless.
 */
public final class DeletionDelayBean {

    public static final String NAME = "Hadoop:service=DataNode,name=HearthDeletionDelay";
    public static final String DELAY_MS = "DelayMs";

    private static final String KEY = "hearth.datanode.deletion.delay.";

    private DeletionDelayBean() {}

    /** This configuration with the delay that the DataNode has now; as it is where it tells none. */
    static ProbeResult<ProcessConfig> asItIsNow(InfoServerClient ui, ProbeResult<ProcessConfig> settings) {
        return settings.ifKnown()
                .filter(ProcessConfig::hasHearthsDataset)
                .flatMap(started -> ui.counts(
                                NAME, Set.of(DELAY_MS), count -> with(started, count.applyAsLong(DELAY_MS)))
                        .ifKnown())
                .map(ProbeResult::known)
                .orElse(settings);
    }

    /** A delay of 0 may also be one that is switched off, which is left to what it was started with. */
    private static ProcessConfig with(ProcessConfig started, long delayMs) {
        ProcessConfig now = started.with(KEY + "ms", "" + delayMs);
        return delayMs > 0 ? now.with(KEY + "enabled", "true") : now;
    }
}
