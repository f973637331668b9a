// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

/** What became of bytes that should have brought back what was remembered. */
public enum RestoreResult {
    /** It was brought back. */
    RESTORED("what was remembered is back"),
    /** They are of a later version, and were left alone. */
    NEWER("it was written by a newer version of Hearth, and is learnt afresh"),
    /** They are of another kind or of another version, and were left alone. */
    UNRECOGNIZED("it is not of a kind or version that this Hearth knows"),
    /** They begin rightly, but are cut off or damaged, and were left alone. */
    CORRUPT("it is cut off or damaged");

    private final String text;

    RestoreResult(String text) {
        this.text = text;
    }

    /** The same in words, as the end of a sentence. */
    public String text() {
        return text;
    }
}
