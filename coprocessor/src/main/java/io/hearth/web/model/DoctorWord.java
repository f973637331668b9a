package io.hearth.web.model;

import io.hearth.doctor.model.Finding;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the doctor found on his last round. Immutable.
 *
 * @param atMs when that ended, in milliseconds since 1970; empty before the first has
 * @param findings the worst first
 */
public record DoctorWord(OptionalLong atMs, List<Finding> findings) {

    /** Before the first round. */
    public static final DoctorWord NOT_YET = new DoctorWord(OptionalLong.empty(), List.of());

    public DoctorWord {
        findings = List.copyOf(findings);
    }
}
