// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.doctor.model.Finding;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the doctor found on its last round. Immutable.
 *
 * @param startedAtMs when the round began that is being made, or else the last one; empty before the first
 * @param isRunning whether one is being made
 * @param atMs when the last round ended, in milliseconds since 1970; empty before the first has
 * @param findings the worst first
 */
public record DoctorReport(OptionalLong startedAtMs, boolean isRunning, OptionalLong atMs, List<Finding> findings) {

    /** Before the first round. */
    public static final DoctorReport NOT_YET =
            new DoctorReport(OptionalLong.empty(), false, OptionalLong.empty(), List.of());

    public DoctorReport {
        findings = List.copyOf(findings);
    }
}
