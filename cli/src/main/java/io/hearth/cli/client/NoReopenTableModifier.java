// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Changes values of a table's descriptor while every region stays open (HBASE-25549). An HMaster that does not know of it would ignore
 * the wish and reopen every region, so it is asked for its version first. Stateless.
 */
public final class NoReopenTableModifier {

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)(?:-(alpha|beta)-(\\d+))?.*");

    /** HBase's words when it refuses; up to 2.5.13 and 2.6.4 it does for any table with a coprocessor (HBASE-29706). */
    private static final String WITH_REGIONS_OPEN = "won't reopen regions";

    /**
     * What came of it.
     *
     * @param done whether the table says now what it was to say
     * @param text one sentence
     */
    public record Outcome(boolean done, String text) {}

    private NoReopenTableModifier() {}

    /**
     * Sets these values; an empty one takes the key away.
     *
     * @throws IOException if HBase can't be asked, or refuses
     */
    public static Outcome set(Connection connection, TableName table, SortedMap<String, Optional<String>> values)
            throws IOException {
        try (Admin admin = connection.getAdmin()) {
            TableDescriptor before = admin.getDescriptor(table);
            TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(before);
            for (Map.Entry<String, Optional<String>> value : values.entrySet()) {
                if (value.getValue().isPresent()) {
                    builder.setValue(value.getKey(), value.getValue().get());
                } else {
                    builder.removeValue(value.getKey());
                }
            }
            TableDescriptor after = builder.build();
            int regions = admin.getRegions(table).size();
            if (after.equals(before)) {
                return new Outcome(true, "The table " + table + " says so already.");
            }
            String version = String.valueOf(
                    admin.getClusterMetrics(EnumSet.of(Option.HBASE_VERSION)).getHBaseVersion());
            Optional<Method> modifyTable = modifyWithoutReopen();
            if (modifyTable.isEmpty() || !keepsRegionsOpen(version)) {
                return unchanged(
                        table, "HBase " + version + " would close and open all " + regions + " regions of " + table);
            }
            try {
                modify(admin, modifyTable.get(), after);
            } catch (IOException refused) {
                String why = firstLine(refused);
                if (!why.contains(WITH_REGIONS_OPEN)) {
                    throw refused;
                }
                return unchanged(
                        table,
                        "HBase " + version + " does not change " + table + " without closing and opening all " + regions
                                + " regions (" + why + ")");
            }
            return new Outcome(
                    true, "The table " + table + " says so now, and its " + regions + " regions stayed open.");
        }
    }

    private static Outcome unchanged(TableName table, String why) {
        return new Outcome(
                false,
                why + ", so nothing was changed. Put hearth.table." + table.getNameAsString()
                        + "... into hbase-site.xml and run update_all_config, or alter the table in the shell.");
    }

    /** An exception of the master's has its whole stack in its message. */
    private static String firstLine(IOException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    /** Of HBase 3.0.0-alpha-4's client there is none. */
    private static Optional<Method> modifyWithoutReopen() {
        try {
            return Optional.of(Admin.class.getMethod("modifyTable", TableDescriptor.class, boolean.class));
        } catch (NoSuchMethodException olderClient) {
            return Optional.empty();
        }
    }

    private static void modify(Admin admin, Method modifyTable, TableDescriptor table) throws IOException {
        try {
            modifyTable.invoke(admin, table, false);
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof IOException refused) {
                throw refused;
            }
            throw new IOException(String.valueOf(failure.getCause()), failure.getCause());
        } catch (IllegalAccessException changed) {
            throw new IOException("modifyTable can't be called: " + changed.getMessage(), changed);
        }
    }

    /** Whether an HMaster of this version does as it is asked: 2.5.7, 2.6.0, 3.0.0-beta-1 and later. */
    static boolean keepsRegionsOpen(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        int minor = Integer.parseInt(parts.group(2));
        int patch = Integer.parseInt(parts.group(3));
        if (parts.group(4) != null) {
            return major >= 3 && parts.group(4).equals("beta") && Integer.parseInt(parts.group(5)) >= 1;
        }
        return major > 2 || (major == 2 && (minor > 5 || (minor == 5 && patch >= 7)));
    }
}
