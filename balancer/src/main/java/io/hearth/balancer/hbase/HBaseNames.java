// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Translates HBase's names of servers, tables and regions into Hearth's, and a table's back. */
public final class HBaseNames {

    private HBaseNames() {}

    public static ServerId server(ServerName server) {
        return new ServerId(PrintableName.of(server.getHostname()), server.getPort(), server.getStartCode());
    }

    public static TableId table(TableName table) {
        return new TableId(table.getNameAsString());
    }

    public static TableName tableName(TableId table) {
        return TableName.valueOf(table.name());
    }

    public static EncodedRegionName region(RegionInfo region) {
        return new EncodedRegionName(region.getEncodedName());
    }

    /** The encoded name of a region, given either it or the full name {@code table,startKey,timestamp.<encoded>.}. */
    public static String encodedName(String name) {
        String withoutDot = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return withoutDot.substring(withoutDot.lastIndexOf('.') + 1);
    }

    /** The region of a full region name, as servers report it. */
    public static EncodedRegionName region(byte[] regionName) {
        return new EncodedRegionName(RegionInfo.encodeRegionName(regionName));
    }
}
