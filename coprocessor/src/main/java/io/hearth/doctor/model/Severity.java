package io.hearth.doctor.model;

/** How much a finding matters, the worst first. */
public enum Severity {
    /** Something does not work, or can't. */
    FAULT,
    /** It works and costs more than it has to. */
    COST,
    /** Nothing is wrong; it explains what is seen elsewhere. */
    NOTE,
    /** It could not be read, so that nobody knows. */
    UNKNOWN;

    /** Whether somebody has to do something. */
    public boolean isToBeMended() {
        return this == FAULT || this == COST;
    }
}
