package io.hearth.healing.metrics;

/** What healing measures just now. The name is the metric's name in {@code /jmx}. */
public enum HealingGauge {
    ENABLED("enabled", "1 if replicas are moved, 0 if healing is switched off."),
    REGIONS_QUEUED("regionsQueued", "Regions that wait to be looked at, or whose moves have not all ended."),
    BLOCKS_WAITING("blocksWaiting", "Planned moves that have not been started."),
    BLOCKS_IN_FLIGHT("blocksInFlight", "Moves that were started and whose end the NameNode has not confirmed."),
    POLL_MS("pollMs", "Milliseconds that the last look at assignments and reported locality took.");

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
