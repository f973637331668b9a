package io.hearth.bench.cluster;

/** What a variant's cluster goes through, in this order. The last two are rounds. */
public enum Part {
    EVENTS("events", "what happens to hosts"),
    HOT_SPOT("hot spot", "a hot spot"),
    AWAY("rounds", "regions come to hosts without their blocks"),
    BACK("rounds back", "regions come back after a tenth of their rows was written elsewhere");

    private final String title;
    private final String words;

    Part(String title, String words) {
        this.title = title;
        this.words = words;
    }

    /** What tables call it. */
    public String title() {
        return title;
    }

    /** What happens. */
    public String words() {
        return words;
    }
}
