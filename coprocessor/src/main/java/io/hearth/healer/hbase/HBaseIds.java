// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.log.PrintableName;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** HBase's names as Hearth's, and back. */
final class HBaseIds {

    private HBaseIds() {}

    static EncodedRegionName encodedRegionName(RegionInfo region) {
        return new EncodedRegionName(region.getEncodedName());
    }

    static TableId tableId(TableName table) {
        return new TableId(table.getNameAsString());
    }

    static TableName tableName(TableId table) {
        return TableName.valueOf(table.name());
    }

    static ServerId serverId(ServerName server) {
        return new ServerId(PrintableName.of(server.getHostname()), server.getPort(), server.getStartCode());
    }
}
