// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.embedded.ClusterHost;
import java.util.List;

/**
 * One process of the cluster.
 *
 * @param name such as {@code regionserver3}; also the name of its logs
 * @param role what it does
 * @param host where it runs
 */
public record Daemon(String name, DaemonRole role, ClusterHost host) {

    /** What a process of the cluster does: which class it runs, with how much heap, and where it answers. */
    public enum DaemonRole {
        NAMENODE("namenode", "org.apache.hadoop.hdfs.server.namenode.NameNode", 256, 9870),
        ZOOKEEPER("zookeeper", "org.apache.zookeeper.server.ZooKeeperServerMain", 96, 2181),
        /** The way between racks, where a process of ours is that way. */
        UPLINK("uplinks", "io.hearth.testkit.process.uplink.UplinkRelay", 64, 0),
        JOURNALNODE("journalnode", "org.apache.hadoop.hdfs.qjournal.server.JournalNode", 96, 8480),
        ZKFC("zkfc", "org.apache.hadoop.hdfs.tools.DFSZKFailoverController", 96, 8019),
        MASTER("master", "org.apache.hadoop.hbase.master.HMaster", 384, 16010),
        DATANODE("datanode", "org.apache.hadoop.hdfs.server.datanode.DataNode", 192, 9864),
        REGIONSERVER("regionserver", "org.apache.hadoop.hbase.regionserver.HRegionServer", 384, 16030);

        private final String word;
        private final String mainClass;
        private final int heapMegabytes;
        private final int watchedPort;

        DaemonRole(String word, String mainClass, int heapMegabytes, int watchedPort) {
            this.word = word;
            this.mainClass = mainClass;
            this.heapMegabytes = heapMegabytes;
            this.watchedPort = watchedPort;
        }

        /** The first part of the names of its processes. */
        public String word() {
            return word;
        }

        public String mainClass() {
            return mainClass;
        }

        /** What its main method is called with. */
        public List<String> arguments() {
            return isOfHBase() ? List.of("start") : List.of();
        }

        /** Whether it is a server of HBase's. */
        public boolean isOfHBase() {
            return this == MASTER || this == REGIONSERVER;
        }

        /** Whether it is a server of HDFS's. */
        public boolean isOfHdfs() {
            return this == NAMENODE || this == JOURNALNODE || this == ZKFC || this == DATANODE;
        }

        public int heapMegabytes() {
            return heapMegabytes;
        }

        /** The port of its web page; of ZooKeeper and of a failover controller, which have none, that of their clients. */
        public int watchedPort() {
            return watchedPort;
        }
    }
}
