// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.balancer.config.SloSettings;
import io.hearth.balancer.config.SloSettings.SloConfig;
import io.hearth.common.config.SettingsReader;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.slo.canary.CanaryKeyRange;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table whose regions are probed: one small row in each. A table is a canary table only if its descriptor says so, so that no table
 * of somebody's is written to for its name. Its blocks are not cached, its rows live for a day, and it is left out of normalization.
 */
final class CanaryTable {

    static final byte[] FAMILY = Bytes.toBytes("p");

    private static final String SITE = "hbase-site.xml";
    private static final String MARK = SloSettings.TABLE_KEY;
    private static final int TIME_TO_LIVE_SECONDS = 86_400;

    private CanaryTable() {}

    /** As the HMaster reads it: where the value can't be used, by default. */
    static TableName name(Configuration conf) {
        return TableName.valueOf(SloConfig.read(new SettingsReader(SITE, new ConfigurationSettings(conf)))
                .canaryTable());
    }

    /**
     * Makes sure that there is one, with a region for each server if it has to be made.
     *
     * @throws IOException if the table is somebody's own, or it can't be made
     */
    static void ensure(Admin admin, TableName name, int servers) throws IOException {
        TableDescriptor table;
        try {
            table = admin.getDescriptor(name);
        } catch (TableNotFoundException missing) {
            create(admin, name, servers);
            table = admin.getDescriptor(name);
        }
        if (!"true".equalsIgnoreCase(table.getValue(MARK))) {
            throw new IOException("the table " + name + " is not a canary table: its descriptor has no " + MARK
                    + " = 'true'. Set " + SloSettings.CANARY_TABLE.key() + " to a name that no other table has.");
        }
    }

    private static void create(Admin admin, TableName name, int servers) throws IOException {
        List<String> keys = CanaryKeyRange.splitKeys(servers);
        try {
            admin.createTable(
                    descriptor(name), keys.stream().map(Bytes::toBytes).toArray(byte[][]::new));
        } catch (TableExistsException byAnother) {
            // Another daemon was faster.
        }
    }

    private static TableDescriptor descriptor(TableName name) {
        return TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMaxVersions(1)
                        .setTimeToLive(TIME_TO_LIVE_SECONDS)
                        .setBlockCacheEnabled(false)
                        .build())
                .setValue(MARK, "true")
                .setNormalizationEnabled(false)
                .build();
    }

    /** The row of this region that is read and written: its first key, which no other region has. */
    static byte[] row(RegionInfo region) {
        byte[] start = region.getStartKey();
        return start.length == 0 ? new byte[] {0} : start;
    }
}
