package io.hearth.healing.metrics;

/** What healing measures just now. The name is the metric's name in {@code /jmx}. */
public enum HealingGauge {
    ENABLED(
            "enabled",
            "1 if replicas are moved; 0 if healing is switched off, paused, outside of its windows, or gives advice only."),
    PAUSED("paused", "1 if healing rests because somebody paused it."),
    ALARMED("alarmed", "1 if healing has stopped because too many moves were undone, until somebody resumes it."),
    OUTSIDE_WINDOWS("outsideWindows", "1 if this is no time at which moves may start."),
    BYTES_PER_SECOND("bytesPerSecond", "The rate at which bytes of moves may be started just now."),
    PRESSURES("pressures", "The number of different reasons to go slower just now."),
    LAST_HEAL_MS(
            "lastHealMs",
            "Milliseconds from the first sight of the region that came home last to its server's report."),
    REGIONS_AWAITING_REPORT("regionsAwaitingReport", "Healed regions whose server has not reported the new locality."),
    REGIONS_QUEUED("regionsQueued", "Regions that wait to be looked at, or whose moves have not all ended."),
    BLOCKS_WAITING("blocksWaiting", "Planned moves that have not been started."),
    BLOCKS_IN_FLIGHT("blocksInFlight", "Moves that were started and whose end the NameNode has not confirmed."),
    POLL_MS("pollMs", "Milliseconds that the last look at assignments and reported locality took."),
    WAITS_FOR_LOCK("waitsForLock", "1 if there is work and another healer has the lock, or nobody can say who has it.");

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
