package io.hearth.ui.hbase;

/** What the page counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
public enum UiCounter {
    REQUESTS("requests", "Requests under /hearth."),
    FAILURES("failures", "Requests, publications and rounds of the doctor that failed."),
    ACTIONS("actions", "What operators asked for and was done."),
    ACTIONS_REFUSED("actionsRefused", "What was asked for and refused: a permission, a header or a key is missing."),
    CONFIG_PROBLEMS("configProblems", "Values of the page's keys that can't be used.");

    private final String metric;
    private final String doc;

    UiCounter(String metric, String doc) {
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
