// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

/** A kind of request. */
public enum Operation {
    GET("gets"),
    MULTIGET("multigets"),
    PUT("puts"),
    INSERT("inserts"),
    SCAN("scans"),
    READ_MODIFY_WRITE("read-modify-writes");

    private final String plural;

    Operation(String plural) {
        this.plural = plural;
    }

    /** What several of them are called. */
    public String plural() {
        return plural;
    }
}
