package io.hearth.healing.hbase;

import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.steering.HandMoves;
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
final class HandMoveWord {

    private HandMoveWord() {}

    /** Passes the word on, where this master's balancer is Hearth's. */
    static void pass(
            MasterServices services,
            ObserverContext<MasterCoprocessorEnvironment> context,
            RegionInfo region,
            ServerName source,
            ServerName destination) {
        Optional<HandMoves> handMoves = MasterLinks.handMoves(services.getConfiguration());
        if (handMoves.isEmpty() || source == null || destination == null) {
            return;
        }
        handMoves
                .get()
                .movedByHand(
                        HBaseIds.regionId(region),
                        HBaseIds.tableId(region.getTable()),
                        HBaseIds.serverId(source),
                        HBaseIds.serverId(destination),
                        context.getCaller().map(User::getShortName).orElse("an unknown user"),
                        services.getServerManager().getDrainingServersList().contains(source),
                        EnvironmentEdgeManager.currentTime());
    }
}
