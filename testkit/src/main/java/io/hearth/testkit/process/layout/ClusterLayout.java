// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which hosts and processes a cluster of some shape has, and their names and addresses.
 *
 * <p>The NameNode and ZooKeeper are on the host {@code namenode}, a second NameNode on {@code namenode2}, each HMaster on one of its
 * own, and a DataNode and a RegionServer on each of {@code host1} and following. Two NameNodes share their edits by a JournalNode on
 * {@code namenode}, and each has a failover controller beside it. Hosts fill the racks in order: 6 hosts in 3 racks are two in each.
 * One that is added later is in the rack that has the fewest.
 *
 * @param clusterSpec what was asked for
 * @param id four letters and digits that tell the cluster's namespaces and links from all others on the machine
 * @param number the third byte of every address, 1 to 254
 * @param added hosts that were added to those of the shape
 * @param relayed whether a process of ours is the way between racks, because the kernel can't hold packets back
 */
public record ClusterLayout(ClusterSpec clusterSpec, String id, int number, int added, boolean relayed) {

    /** The host of the NameNode and of ZooKeeper. */
    public static final String NAMENODE_HOST = "namenode";

    /** Where the bridges are, which is no host of HDFS or HBase. */
    static final String NET = "net";

    /** The host of the other NameNode, where there are two. */
    public static final String SECOND_NAMENODE_HOST = "namenode2";

    /** The rack of the hosts without a DataNode. */
    public static final String CORE_RACK = "/core";

    private static final int MANY_HOSTS = 10;
    private static final int CLIENT = 1;
    private static final int NAMENODE = 2;
    private static final int FIRST_MASTER = 11;
    private static final int FIRST_HOST = 21;

    /** As it is started, without hosts that are added. */
    public ClusterLayout(ClusterSpec clusterSpec, String id, int number) {
        this(clusterSpec, id, number, 0, false);
    }

    /** The same with a process of ours as the way between racks. */
    public ClusterLayout withRelay() {
        return new ClusterLayout(clusterSpec, id, number, added, true);
    }

    /** The same with one more host, the last of {@link #workers}. */
    public ClusterLayout withAnotherHost() {
        return new ClusterLayout(clusterSpec, id, number, added + 1, relayed);
    }

    /** The address of the machine itself in the cluster's network, from which clients call. */
    public String clientAddress() {
        return address(CLIENT);
    }

    /** The hosts of the NameNodes, of which the first is ZooKeeper's too, those of the HMasters, then the others. */
    public List<ClusterHost> hosts() {
        List<ClusterHost> hosts = new ArrayList<>(nameNodeHosts());
        for (int master = 0; master < clusterSpec.masters(); master++) {
            hosts.add(new ClusterHost("master" + (master + 1), address(FIRST_MASTER + master), CORE_RACK));
        }
        hosts.addAll(workers());
        return hosts;
    }

    /** One, or two. */
    public List<ClusterHost> nameNodeHosts() {
        ClusterHost first = new ClusterHost(NAMENODE_HOST, address(NAMENODE), CORE_RACK);
        return clusterSpec.isHighlyAvailable()
                ? List.of(first, new ClusterHost(SECOND_NAMENODE_HOST, address(NAMENODE + 1), CORE_RACK))
                : List.of(first);
    }

    /** The hosts with a DataNode and a RegionServer each. */
    public List<ClusterHost> workers() {
        return IntStream.range(0, clusterSpec.hosts() + added)
                .mapToObj(host -> new ClusterHost("host" + (host + 1), address(FIRST_HOST + host), rackOf(host)))
                .toList();
    }

    /** All racks of the workers, in order. */
    public List<String> racks() {
        return workers().stream().map(ClusterHost::rack).distinct().toList();
    }

    /** Every process; the first is a NameNode. */
    public List<Daemon> daemons() {
        List<ClusterHost> hosts = hosts();
        List<Daemon> daemons = new ArrayList<>();
        daemons.add(new Daemon(DaemonRole.NAMENODE.word(), DaemonRole.NAMENODE, hosts.get(0)));
        daemons.add(new Daemon(DaemonRole.ZOOKEEPER.word(), DaemonRole.ZOOKEEPER, hosts.get(0)));
        if (relayed) {
            daemons.add(new Daemon(DaemonRole.UPLINK.word(), DaemonRole.UPLINK, new ClusterHost(NET, "-", CORE_RACK)));
        }
        if (clusterSpec.isHighlyAvailable()) {
            daemons.add(new Daemon(DaemonRole.NAMENODE.word() + 2, DaemonRole.NAMENODE, hosts.get(1)));
            daemons.add(new Daemon(DaemonRole.JOURNALNODE.word(), DaemonRole.JOURNALNODE, hosts.get(0)));
            number(daemons, DaemonRole.ZKFC, nameNodeHosts());
        }
        int firstMaster = nameNodeHosts().size();
        number(daemons, DaemonRole.MASTER, hosts.subList(firstMaster, firstMaster + clusterSpec.masters()));
        number(daemons, DaemonRole.DATANODE, workers());
        number(daemons, DaemonRole.REGIONSERVER, workers());
        return List.copyOf(daemons);
    }

    /** Those with this role. */
    public List<Daemon> daemons(DaemonRole role) {
        return daemons().stream().filter(daemon -> daemon.role() == role).toList();
    }

    /** The heap of a process with this role: two thirds where there are so many hosts that memory for all would be scarce. */
    public int heapMegabytes(DaemonRole role) {
        boolean isOnEachHost = role == DaemonRole.DATANODE || role == DaemonRole.REGIONSERVER;
        return isOnEachHost && clusterSpec.hosts() >= MANY_HOSTS ? role.heapMegabytes() * 2 / 3 : role.heapMegabytes();
    }

    private static void number(List<Daemon> daemons, DaemonRole role, List<ClusterHost> hosts) {
        for (int i = 0; i < hosts.size(); i++) {
            daemons.add(new Daemon(role.word() + (i + 1), role, hosts.get(i)));
        }
    }

    private String rackOf(int host) {
        return "/rack" + (rackNumbers()[host] + 1);
    }

    private int[] rackNumbers() {
        int[] numbers = new int[clusterSpec.hosts() + added];
        int[] hosts = new int[clusterSpec.racks()];
        for (int host = 0; host < numbers.length; host++) {
            numbers[host] =
                    host < clusterSpec.hosts() ? host * clusterSpec.racks() / clusterSpec.hosts() : emptiest(hosts);
            hosts[numbers[host]]++;
        }
        return numbers;
    }

    private static int emptiest(int[] hosts) {
        int fewest = Arrays.stream(hosts).min().orElseThrow();
        return IntStream.range(0, hosts.length)
                .filter(rack -> hosts[rack] == fewest)
                .findFirst()
                .orElseThrow();
    }

    private String address(int last) {
        return clusterSpec.networkMode().prefix() + number + "." + last;
    }
}
