// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.balancer.config.TableWeights;
import io.hearth.common.config.RawSettings;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.TableId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Reads the tables' weights and budgets from their descriptors, where {@code alter ... METADATA} puts them. */
public final class TableWeightsReader {

    private static final String PREFIX = "HEARTH_";

    private TableWeightsReader() {}

    /** The weights of these tables. */
    public static TableWeights read(String where, RawSettings site, Collection<TableDescriptor> descriptors) {
        return TableWeights.read(where, site, settingsByTable(descriptors));
    }

    /** The budgets of these tables. */
    public static TableBudgets readBudgets(String where, RawSettings site, Collection<TableDescriptor> descriptors) {
        return TableBudgets.read(where, site, settingsByTable(descriptors));
    }

    private static Map<TableId, RawSettings> settingsByTable(Collection<TableDescriptor> descriptors) {
        Map<TableId, RawSettings> descriptorByTable = new TreeMap<>();
        descriptors.forEach(
                descriptor -> descriptorByTable.put(HBaseNames.table(descriptor.getTableName()), settings(descriptor)));
        return descriptorByTable;
    }

    /** Hearth's values of this descriptor. */
    public static RawSettings settings(TableDescriptor descriptor) {
        Map<String, String> values = new HashMap<>();
        descriptor.getValues().forEach((key, value) -> {
            String name = new String(key.copyBytes(), StandardCharsets.UTF_8);
            if (name.startsWith(PREFIX)) {
                values.put(name, new String(value.copyBytes(), StandardCharsets.UTF_8));
            }
        });
        return new MapSettings(values);
    }
}
