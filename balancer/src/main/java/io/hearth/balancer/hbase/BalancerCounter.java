package io.hearth.balancer.hbase;

/** What the balancer counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
public enum BalancerCounter {
    PLANS("plans", "Plans that were made, also such as move nothing."),
    MOVES_PLANNED("movesPlanned", "Moves of those plans."),
    PLAN_FAILURES("planFailures", "Times that planning failed and the stock balancer's plan was used."),
    REPORT_FAILURES("reportFailures", "Times that the servers' reports could not be read."),
    REPORTS_REFUSED(
            "reportsRefused",
            "Reports of a region with requests or sizes that no server can have, which were not believed."),
    COST_FAILURES("costFailures", "Times that a cost of heat failed and counted as 0, or costs could not be shown."),
    LOCALITY_FAILURES("localityFailures", "Regions of which the NameNode could not say where their blocks are."),
    STOCK_PLANS_REFUSED(
            "stockPlansRefused", "Plans of the stock balancer that would have made heat uneven and were not used."),
    CONFIG_PROBLEMS("configProblems", "Values and keys of the configuration that can't be used."),
    STORE_FAILURES("storeFailures", "Times that what is kept for the next master could not be written or read."),
    VIEW_FAILURES("viewFailures", "Times that what the balancer knows could not be shown in JMX."),
    REGIONS_PLACED(
            "regionsPlaced",
            "Regions of dead or new servers that landed by Hearth's word and not by the stock balancer's."),
    REGIONS_PLACED_BY_BYTES(
            "regionsPlacedByBytes", "Those of them that landed on the server with most of their bytes."),
    REGIONS_PLACED_WITHOUT_ROOM(
            "regionsPlacedWithoutRoom", "Those of them for which no server had room below the caps of heat and count."),
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
