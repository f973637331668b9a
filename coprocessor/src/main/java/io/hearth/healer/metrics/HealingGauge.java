// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.metrics;

/** What healing measures just now. The name is the metric's name in {@code /jmx}. */
public enum HealingGauge {
    ENABLED("enabled", "1 if replicas are moved; 0 if switched off, paused, outside of the windows, or advising."),
    PAUSED("paused", "1 if somebody paused healing."),
    ALARMED("alarmed", "1 if healing stopped because too many moves were reverted."),
    SLOW_AFTER_ALARM("slowAfterAlarm", "1 if healing goes at a quarter of its pace after such an alarm."),
    OUTSIDE_WINDOWS("outsideWindows", "1 if no move may start at this time."),
    BYTES_PER_SECOND("bytesPerSecond", "Rate at which bytes of moves may be started."),
    THROTTLE_REASONS("throttleReasons", "Number of different reasons to go slower."),
    LAST_HEAL_MS("lastHealMs", "Time from the first sight of the region healed last to its server's report."),
    REGIONS_AWAITING_REPORT("regionsAwaitingReport", "Healed regions whose server has not reported the new locality."),
    REGIONS_LOCAL_NOT_REPORTED(
            "regionsLocalNotReported",
            "Regions that the NameNode confirms local and whose servers report less; reopening them corrects" + " it."),
    REGIONS_QUEUED("regionsQueued", "Regions that wait, or whose moves have not all ended."),
    BLOCKS_WAITING("blocksWaiting", "Planned moves not started."),
    BLOCKS_IN_FLIGHT("blocksInFlight", "Moves started and not yet confirmed."),
    POLL_MS("pollMs", "Time of the last poll."),
    WAITS_FOR_LOCK("waitsForLock", "1 if there is work and another healer has the lock, or nobody can say who has it."),
    BLOCKS_IN_EXCESS(
            "blocksInExcess", "Moved blocks with more replicas than wanted; from 8 on one move is made at a time.");

    private final String metric;
    private final String doc;

    HealingGauge(String metric, String doc) {
        this.metric = metric;
        this.doc = doc;
    }

    public String metric() {
        return metric;
    }

    public String doc() {
        return doc;
    }
}
