// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

/**
 * Regions that are local by the NameNode's word and whose servers report less, for a person: nothing is left to do for them, and a region that is reopened
 * is reported as it is. Pure.
 */
public final class NotReportedText {

    private NotReportedText() {}

    /** {@code , local by the NameNode, not reported yet: 2 regions (reopening them tells)}; empty for none. */
    public static String of(long regions) {
        return regions == 0
                ? ""
                : ", local by the NameNode, not reported yet: " + regions
                        + (regions == 1 ? " region (reopening it tells)" : " regions (reopening them tells)");
    }

    /**
     * The same with what makes their servers look: a region that is reopened goes back to its server.
     *
     * @param first the encoded name of one of them
     */
    public static String withCommand(long regions, String first) {
        return of(regions)
                + (regions == 0
                        ? ""
                        : "; in hbase shell: unassign '" + first + "'; assign '" + first + "'"
                                + (regions > 1 ? ", and so for " + (regions - 1) + " more" : ""));
    }
}
