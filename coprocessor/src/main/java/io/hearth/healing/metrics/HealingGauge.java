package io.hearth.healing.metrics;

/** What healing measures just now. The name is the metric's name in {@code /jmx}. */
public enum HealingGauge {
    ENABLED(
            "enabled",
            "1 if replicas are moved; 0 if healing is switched off, paused, outside of its windows, or gives advice only."),
    PAUSED("paused", "1 if healing rests because somebody paused it."),
    ALARMED(
            "alarmed",
            "1 if healing has stopped because too many moves were undone, until none was for an hour or somebody resumes it."),
    SLOW_AFTER_ALARM("slowAfterAlarm", "1 if healing goes at a quarter of its pace after such an alarm."),
    OUTSIDE_WINDOWS("outsideWindows", "1 if this is no time at which moves may start."),
    BYTES_PER_SECOND("bytesPerSecond", "The rate at which bytes of moves may be started just now."),
    PRESSURES("pressures", "The number of different reasons to go slower just now."),
    LAST_HEAL_MS(
            "lastHealMs",
            "Milliseconds from the first sight of the region that came home last to its server's report."),
    REGIONS_AWAITING_REPORT("regionsAwaitingReport", "Healed regions whose server has not reported the new locality."),
    REGIONS_LOCAL_NOT_REPORTED(
            "regionsLocalNotReported",
            "Regions that are local by the NameNode's word and whose servers report less; reopening them makes them look."),
    REGIONS_QUEUED("regionsQueued", "Regions that wait to be looked at, or whose moves have not all ended."),
    BLOCKS_WAITING("blocksWaiting", "Planned moves that have not been started."),
    BLOCKS_IN_FLIGHT("blocksInFlight", "Moves that were started and whose end the NameNode has not confirmed."),
    POLL_MS("pollMs", "Milliseconds that the last look at assignments and reported locality took."),
    WAITS_FOR_LOCK("waitsForLock", "1 if there is work and another healer has the lock, or nobody can say who has it."),
    BLOCKS_IN_EXCESS(
            "blocksInExcess",
            "Moved blocks that keep more replicas than wanted, as after a NameNode failover; from 8 on one move is made at a"
                    + " time until moves are confirmed again.");

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
