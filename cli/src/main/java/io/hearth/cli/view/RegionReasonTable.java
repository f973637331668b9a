// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import io.hearth.balancer.plan.RegionReason;
import java.util.List;
import java.util.stream.Stream;

/** What becomes of single regions in a plan, as rows. Stateless. */
public final class RegionReasonTable {

    private RegionReasonTable() {}

    /** A row for each of these reasons, in their order. */
    public static Table of(List<RegionReason> reasons) {
        return new Table(
                Stream.of("region", "table", "server", "reason", "text")
                        .map(name -> Table.Column.ofText(name, name))
                        .toList(),
                reasons.stream()
                        .map(one -> Stream.of(one.region(), one.table(), one.server(), one.reason(), one.text())
                                .map(Table.Cell::of)
                                .toList())
                        .toList());
    }
}
