// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import java.util.Comparator;

/** The order in which hosts are listed: host2 before host10. */
public final class HostOrder {

    /** By length of the name, then by the name: the order of the numbers when the names differ by a number only. */
    public static final Comparator<String> BY_NUMBER =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private HostOrder() {}
}
