package io.hearth.healing.hbase;

import io.hearth.healing.trigger.HintKind;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.ServerListener;

/** Word of RegionServers that come and go, which no observer's hook gives. Returns at once. */
final class ServerHints implements ServerListener {

    private final Consumer<HintKind> leave;

    /** @param leave takes a hint and never throws */
    ServerHints(Consumer<HintKind> leave) {
        this.leave = leave;
    }

    @Override
    public void serverAdded(ServerName serverName) {
        leave.accept(HintKind.SERVER_ADDED);
    }

    @Override
    public void serverRemoved(ServerName serverName) {
        leave.accept(HintKind.SERVER_REMOVED);
    }
}
