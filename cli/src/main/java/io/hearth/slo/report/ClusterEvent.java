// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import static java.util.Objects.requireNonNull;

/**
 * Something that happened in the cluster and may be why requests were slow. Immutable.
 *
 * @param atMs when, in ms since 1970
 * @param kind of a few: {@code crash}, {@code region move}, {@code healing}, {@code compaction}
 * @param text what, on one line; whoever shows it escapes it
 */
public record ClusterEvent(long atMs, String kind, String text) {

    /** Checks that nothing is missing. */
    public ClusterEvent {
        requireNonNull(kind);
        requireNonNull(text);
    }
}
