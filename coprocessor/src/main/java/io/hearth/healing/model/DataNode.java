package io.hearth.healing.model;

import java.util.Comparator;
import java.util.Locale;

/**
 * A DataNode as the NameNode describes it. Immutable; ordered by id.
 *
 * @param host the host name under which it registered
 * @param ipAddress the address under which it registered
 * @param rack its network location, {@code /default-rack} where nobody says otherwise
 */
public record DataNode(DataNodeId id, String host, String ipAddress, String rack, ServiceState state)
        implements Comparable<DataNode> {

    private static final Comparator<DataNode> ORDER = Comparator.comparing(DataNode::id);

    public DataNode {
        host = host.toLowerCase(Locale.ROOT);
    }

    /** Whether it runs on this host, given by name or by address; host names have no case. */
    public boolean isOn(String hostOrAddress) {
        return host.equals(hostOrAddress.toLowerCase(Locale.ROOT)) || ipAddress.equals(hostOrAddress);
    }

    @Override
    public int compareTo(DataNode other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return host + rack + "(" + id + ")";
    }
}
