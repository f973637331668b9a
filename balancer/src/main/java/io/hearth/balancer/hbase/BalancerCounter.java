package io.hearth.balancer.hbase;

/** What the balancer counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
public enum BalancerCounter {
    PLANS("plans", "Plans made, also those without moves."),
    MOVES_PLANNED("movesPlanned", "Moves of those plans."),
    PLAN_FAILURES("planFailures", "Times that planning failed and stock's plan was used."),
    REPORT_FAILURES("reportFailures", "Times that the servers' reports could not be read."),
    REPORTS_REFUSED("reportsRefused", "Reports of a region with requests or sizes that no server can have."),
    COST_FAILURES("costFailures", "Times that a cost failed and counted as 0, or could not be shown."),
    LOCALITY_FAILURES("localityFailures", "Regions whose blocks the NameNode could not locate."),
    STOCK_PLANS_REFUSED(
            "stockPlansRefused", "Plans of the stock balancer not used because they would have made heat uneven."),
    CONFIG_PROBLEMS("configProblems", "Values and keys of the configuration that can't be used."),
    STORE_FAILURES("storeFailures", "Times that the state for the next HMaster could not be written or read."),
    VIEW_FAILURES("viewFailures", "Times that the state could not be shown in JMX."),
    REGIONS_PLACED("regionsPlaced", "Regions of dead or new servers that Hearth placed, and not the stock balancer."),
    REGIONS_PLACED_BY_BYTES("regionsPlacedByBytes", "Those placed on the server with most of their bytes."),
    REGIONS_PLACED_WITHOUT_ROOM("regionsPlacedWithoutRoom", "Those for which no server was below its limits."),
    PLACEMENT_FAILURES("placementFailures", "Times that placing failed and regions landed as with the stock balancer.");

    private final String metric;
    private final String doc;

    BalancerCounter(String metric, String doc) {
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
