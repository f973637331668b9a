// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

/** Says what is wrong in a JSON text, where, and what is allowed there; one line. */
public final class JsonFormatException extends Exception {

    private static final long serialVersionUID = 1;

    JsonFormatException(String message) {
        super(message);
    }

    /** The line. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
