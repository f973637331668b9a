// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.common.log.PrintableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Finds the users' tables whose descriptors HBase does not show: it leaves those on which who asks has neither ADMIN nor CREATE out of
 * its list, without a word, and a list without them says nothing of what there is.
 */
public final class HiddenTables {

    private static final int MOST_NAMES = 3;

    private HiddenTables() {}

    /**
     * Why the list is not whole, naming some of the tables that are missing in it; empty where it is.
     *
     * @param reports of the servers, which name the tables of all their regions; from before the list was asked for
     */
    public static Optional<String> why(
            Collection<ServerMetrics> reports, Collection<TableDescriptor> shown, Admin admin) throws IOException {
        Set<TableName> missing = reports.stream()
                .flatMap(report -> report.getRegionMetrics().keySet().stream())
                .map(RegionInfo::getTable)
                .filter(table -> !table.isSystemTable())
                .collect(Collectors.toCollection(TreeSet::new));
        missing.removeAll(shown.stream().map(TableDescriptor::getTableName).collect(Collectors.toSet()));
        List<String> names = new ArrayList<>();
        for (TableName table : missing) {
            // One that was dropped meanwhile is not hidden.
            if (names.size() < MOST_NAMES && admin.tableExists(table)) {
                names.add(PrintableName.of(table.toString()));
            }
        }
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("no descriptor of " + String.join(", ", names)
                        + (missing.size() > MOST_NAMES ? " and more" : "") + ": ADMIN or CREATE on it is missing");
    }
}
