package io.hearth.demo.threshold;

/** What the demo tells the shell that started it. */
public enum DemoExitCode {
    THRESHOLDS_MET(0),
    /** The run came to its end, or broke off, and a bar does not hold; the summary says which. */
    THRESHOLD_VIOLATED(1),
    /** The arguments make no sense, or the machine lacks something; nothing was started. */
    CANNOT_START(2),
    /** Ended from outside, as by Ctrl-C. */
    INTERRUPTED(130);

    private final int code;

    DemoExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
