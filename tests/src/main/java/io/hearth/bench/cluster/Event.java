package io.hearth.bench.cluster;

/** What happens to the hosts of the cluster. */
public enum Event {
    CRASH("crash of a RegionServer"),
    BACK("it is back"),
    EMPTY_HOST("an empty host is added");

    private final String words;

    Event(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }
}
