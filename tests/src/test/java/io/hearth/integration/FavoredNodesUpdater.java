// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateFavoredNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateFavoredNodesRequest.RegionUpdateInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** Tells a RegionServer where the store files of a region should be written, as the master of a balancer with favoured nodes does. */
final class FavoredNodesUpdater {

    private FavoredNodesUpdater() {}

    static void tell(Connection connection, HRegionLocation region, List<DatanodeInfo> nodes)
            throws IOException, ServiceException {
        RegionUpdateInfo.Builder info =
                RegionUpdateInfo.newBuilder().setRegion(ProtobufUtil.toRegionInfo(region.getRegion()));
        for (DatanodeInfo node : nodes) {
            info.addFavoredNodes(HBaseProtos.ServerName.newBuilder()
                    .setHostName(node.getHostName())
                    .setPort(node.getXferPort())
                    .setStartCode(1));
        }
        ((ClusterConnection) connection)
                .getAdmin(region.getServerName())
                .updateFavoredNodes(
                        null,
                        UpdateFavoredNodesRequest.newBuilder()
                                .addUpdateInfo(info)
                                .build());
    }
}
