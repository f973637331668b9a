package io.hearth.bench.cluster;

/** What a variant's cluster goes through, in this order. The last two are rounds. */
public enum Part {
    EVENTS("event"),
    HOT_SPOT("hot spot"),
    AWAY("rounds"),
    BACK("rounds back");

    private final String title;

    Part(String title) {
        this.title = title;
    }

    /** What tables, pictures and bars call it. */
    public String title() {
        return title;
    }
}
