package io.hearth.healer.hbase;

import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.ServerListener;

/** Word of RegionServers that come and go, which no observer's hook gives. Returns at once. */
final class ServerChangeListener implements ServerListener {

    private final Runnable leave;

    /** @param leave leaves a hint and never throws */
    ServerChangeListener(Runnable leave) {
        this.leave = leave;
    }

    @Override
    public void serverAdded(ServerName serverName) {
        leave.run();
    }

    @Override
    public void serverRemoved(ServerName serverName) {
        leave.run();
    }
}
