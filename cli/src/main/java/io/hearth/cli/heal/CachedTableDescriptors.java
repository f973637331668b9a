// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The descriptors of all tables, asked of the master in one call and again after a minute. Thread-safe. */
final class CachedTableDescriptors implements TableDescriptorSource {

    private static final long AGE_NANOS = 60_000_000_000L;
    private static final Pattern ALL = Pattern.compile(".*");

    private final Connection connection;
    private Map<TableName, TableDescriptor> descriptorByTable = Map.of();
    private Optional<Long> readNanos = Optional.empty();

    CachedTableDescriptors(Connection connection) {
        this.connection = connection;
    }

    @Override
    public synchronized Optional<TableDescriptor> descriptor(TableName table) throws IOException {
        if (readNanos.isEmpty() || System.nanoTime() - readNanos.get() > AGE_NANOS) {
            read();
        }
        return Optional.ofNullable(descriptorByTable.get(table));
    }

    private void read() throws IOException {
        Map<TableName, TableDescriptor> fresh = new HashMap<>();
        try (Admin admin = connection.getAdmin()) {
            for (TableDescriptor table : admin.listTableDescriptors(ALL, true)) {
                fresh.put(table.getTableName(), table);
            }
        }
        descriptorByTable = fresh;
        readNanos = Optional.of(System.nanoTime());
    }
}
