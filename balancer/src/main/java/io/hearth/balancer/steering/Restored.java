package io.hearth.balancer.steering;

/** What became of bytes that should have brought back what was remembered. */
public enum Restored {
    /** It was brought back. */
    YES("what was remembered is back"),
    /** They are of another kind or of another version, and were left alone. */
    FOREIGN("it is not of a kind or version that this Hearth knows"),
    /** They begin rightly, but are cut off or damaged, and were left alone. */
    TORN("it is cut off or damaged");

    private final String text;

    Restored(String text) {
        this.text = text;
    }

    /** The same in words, as the end of a sentence. */
    public String text() {
        return text;
    }
}
