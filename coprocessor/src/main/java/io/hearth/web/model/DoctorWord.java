package io.hearth.web.model;

import io.hearth.doctor.model.Finding;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the doctor found on his last round. Immutable.
 *
 * @param askedAtMs when the round began that is being made, or else the last one; empty before the first
 * @param isAsking whether one is being made
 * @param atMs when the last round ended, in milliseconds since 1970; empty before the first has
 * @param findings the worst first
 */
public record DoctorWord(OptionalLong askedAtMs, boolean isAsking, OptionalLong atMs, List<Finding> findings) {

    /** Before the first round. */
    public static final DoctorWord NOT_YET =
            new DoctorWord(OptionalLong.empty(), false, OptionalLong.empty(), List.of());

    public DoctorWord {
        findings = List.copyOf(findings);
    }
}
