// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of all tables, asked of the master in one call and again after a minute. HBase leaves out of its answer, without a
 * word, the tables on which the user has neither ADMIN nor CREATE: what is not in the list is looked for in hbase:meta, once for each
 * list. Thread-safe.
 */
public final class CachedTableDescriptors implements TableDescriptorSource {

    /** What the reason begins with why a table has no descriptor though it is there. */
    public static final String NOT_SHOWN = "HBase shows no descriptor of ";

    private static final long AGE_NANOS = 60_000_000_000L;
    private static final long APART_NANOS = 1_000_000_000L;
    private static final Pattern ALL = Pattern.compile(".*");

    private final Connection connection;
    private final LongSupplier nanoTime;
    private Map<TableName, TableDescriptor> descriptorByTable = Map.of();
    private Optional<Long> readNanos = Optional.empty();
    /** When hbase:meta was first found to have a table that is not in the list. */
    private final Map<TableName, Long> foundNanosByTable = new HashMap<>();

    private final Set<TableName> lookedFor = new HashSet<>();

    CachedTableDescriptors(Connection connection, LongSupplier nanoTime) {
        this.connection = connection;
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized Optional<TableDescriptor> descriptor(TableName table) throws IOException {
        if (isOlderThan(AGE_NANOS)) {
            read();
        }
        TableDescriptor listed = descriptorByTable.get(table);
        return listed == null ? notListed(table) : Optional.of(listed);
    }

    /** A table that was found after the list was read may be a new one: then the list is read once more, for all that were found. */
    private Optional<TableDescriptor> notListed(TableName table) throws IOException {
        Long foundNanos = found(table);
        if (foundNanos == null) {
            return Optional.empty();
        }
        if (foundNanos - readNanos.orElseThrow() < 0) {
            throw new AccessDeniedException(NOT_SHOWN + table + ": ADMIN or CREATE on it is missing");
        }
        if (!isOlderThan(APART_NANOS)) {
            throw new IOException("the table may be newer than the list of tables, which is read again soon");
        }
        read();
        return descriptor(table);
    }

    /** When hbase:meta was first found to have this table; nothing where it has not. */
    private @Nullable Long found(TableName table) throws IOException {
        if (!lookedFor.contains(table)) {
            try (Admin admin = connection.getAdmin()) {
                if (admin.tableExists(table)) {
                    foundNanosByTable.putIfAbsent(table, nanoTime.getAsLong());
                } else {
                    foundNanosByTable.remove(table);
                }
            }
            lookedFor.add(table);
        }
        return foundNanosByTable.get(table);
    }

    private boolean isOlderThan(long nanos) {
        return readNanos.isEmpty() || nanoTime.getAsLong() - readNanos.get() > nanos;
    }

    private void read() throws IOException {
        long startNanos = nanoTime.getAsLong();
        Map<TableName, TableDescriptor> fresh = new HashMap<>();
        try (Admin admin = connection.getAdmin()) {
            for (TableDescriptor table : admin.listTableDescriptors(ALL, true)) {
                fresh.put(table.getTableName(), table);
            }
        }
        descriptorByTable = fresh;
        readNanos = Optional.of(startNanos);
        foundNanosByTable.keySet().removeAll(fresh.keySet());
        lookedFor.clear();
    }
}
