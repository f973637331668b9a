// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

/** How much a finding matters, the worst first. */
public enum Severity {
    /** Something does not work, or can't. */
    ERROR,
    /** It works and costs more than it has to. */
    WARNING,
    /** Nothing is wrong; it explains what is seen elsewhere. */
    INFO,
    /** It could not be read, so that nobody knows. */
    UNKNOWN;

    /** Whether somebody has to do something. */
    public boolean needsAction() {
        return this == ERROR || this == WARNING;
    }
}
