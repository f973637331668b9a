// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

/** How the hosts of a process cluster get addresses of their own. */
public enum NetworkMode {
    /** A network namespace for each host, joined by bridges; only root can make them. */
    NAMESPACES("network namespaces of their own", "10.77."),

    /** An address of the loopback device for each host; every user can take one. */
    LOOPBACK("addresses of the loopback device", "127.0.");

    private final String words;
    private final String prefix;

    NetworkMode(String words, String prefix) {
        this.words = words;
        this.prefix = prefix;
    }

    /** What a person calls it. */
    public String words() {
        return words;
    }

    /** The first two bytes of every address, with their dots. */
    public String prefix() {
        return prefix;
    }
}
