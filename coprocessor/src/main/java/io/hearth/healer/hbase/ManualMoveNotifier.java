// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.tracking.ManualMoveListener;
import io.hearth.common.log.PrintableName;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Tells the balancer of a region that a client moved, and who did. HBase calls {@code postMove} for a client's call only: moves
 * of a balancer, of a server's decommissioning and of a crash go past it.
 */
final class ManualMoveNotifier {

    private ManualMoveNotifier() {}

    /** Passes the word on, where this master's balancer is Hearth's. */
    static void notifyBalancer(
            MasterServices services,
            ObserverContext<MasterCoprocessorEnvironment> context,
            RegionInfo region,
            ServerName source,
            ServerName destination) {
        Optional<ManualMoveListener> manualMoveListener =
                MasterComponentRegistry.manualMoveListener(services.getConfiguration());
        if (manualMoveListener.isEmpty() || source == null || destination == null) {
            return;
        }
        manualMoveListener
                .get()
                .regionMovedManually(
                        HBaseIds.encodedRegionName(region),
                        HBaseIds.tableId(region.getTable()),
                        HBaseIds.serverId(source),
                        HBaseIds.serverId(destination),
                        context.getCaller()
                                .map(User::getShortName)
                                .map(PrintableName::of)
                                .orElse("an unknown user"),
                        services.getServerManager().getDrainingServersList().contains(source),
                        EnvironmentEdgeManager.currentTime());
    }
}
