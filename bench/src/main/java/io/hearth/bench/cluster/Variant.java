// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

/** What an operator has to bring data home and to even load out. */
public enum Variant {
    /** The stock balancer with its defaults; nothing is compacted. */
    NOTHING("stock balancer"),
    /** The same, and every region that is not local is major-compacted once regions are where they stay. */
    COMPACTION("stock + major compaction"),
    /** Hearth, as docs/install.md installs it. */
    HEARTH("Hearth");

    private final String description;

    Variant(String description) {
        this.description = description;
    }

    /** What a table calls it. */
    public String description() {
        return description;
    }
}
