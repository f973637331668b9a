// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of core-site.xml, hdfs-site.xml and hbase-site.xml of a process cluster, one set for all hosts and clients:
 * what differs between them are two variables of the environment, {@link #HOST} and {@link #ADDRESS}, which each process of the cluster
 * is started with, and clients without.
 *
 * <p>Beside addresses and folders there is little in it: what fits HDFS and HBase into small heaps, and what makes the
 * death of a server known within a minute.
 */
public final class SiteSettings {

    /** The variable with the name of the host that a process runs on. */
    public static final String HOST = "HEARTH_HOST";

    /** The variable with that host's address. */
    public static final String ADDRESS = "HEARTH_ADDRESS";

    /** Whom HDFS takes the HMasters and RegionServers for, where HBase is a user of its own. */
    public static final String HBASE_USER = "hbase";

    /** Names what HDFS makes a DataNode's dataset by, and so Hearth's jar for DataNodes. */
    public static final String DATASET_FACTORY_KEY = "dfs.datanode.fsdataset.factory";

    /** Where HBase keeps its files in HDFS. */
    public static final String HBASE_FOLDER = "/hbase";

    /** The folder of the read cache on the SSD, whose mount point is the folder above it. */
    public static final String CACHE_FOLDER = "cache";

    private static final String NAME_SERVICE = "hearth";
    private static final int MEBIBYTE = 1 << 20;
    /** What stands for a host's own name. */
    public static final String MY_HOST = "${env." + HOST + ":-client}";

    /** What stands for a host's own address. */
    public static final String MY_ADDRESS = "${env." + ADDRESS + ":-127.0.0.1}";

    private SiteSettings() {}

    /** core-site.xml, for all data in this folder and with this topology script. */
    public static Map<String, String> core(ClusterSpec clusterSpec, String dataFolder, String topologyScript) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("fs.defaultFS", hdfsUri(clusterSpec));
        lines.put("hadoop.tmp.dir", dataFolder + "/" + MY_HOST);
        lines.put("net.topology.script.file.name", topologyScript);
        // Its default asks for the machine's own name, which the hosts file does not hold.
        lines.put("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        return lines;
    }

    /** hdfs-site.xml. */
    public static Map<String, String> hdfs(ClusterSpec clusterSpec) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("dfs.replication", "" + clusterSpec.replication());
        lines.put("dfs.blocksize", "" + 8 * MEBIBYTE);
        if (clusterSpec.isHighlyAvailable()) {
            lines.putAll(pairOfNameNodes());
        } else {
            lines.put("dfs.namenode.rpc-address", ClusterLayout.NAMENODE_HOST + ":8020");
            lines.put("dfs.namenode.http-address", ClusterLayout.NAMENODE_HOST + ":9870");
        }
        lines.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        lines.put("dfs.datanode.hostname", MY_HOST);
        lines.put("dfs.datanode.address", MY_ADDRESS + ":9866");
        lines.put("dfs.datanode.http.address", MY_ADDRESS + ":9864");
        lines.put("dfs.datanode.ipc.address", MY_ADDRESS + ":9867");
        // A DataNode that is silent for 10 s is stale, for 40 s dead.
        lines.put("dfs.heartbeat.interval", "1");
        lines.put("dfs.namenode.heartbeat.recheck-interval", "15000");
        lines.put("dfs.namenode.stale.datanode.interval", "10000");
        lines.put("dfs.namenode.safemode.extension", "3000");
        // So few DataNodes are never equally busy: a writer would otherwise get its first replica elsewhere.
        lines.put("dfs.namenode.redundancy.considerLoad", "false");
        // Every 3 s by default, two blocks for each DataNode.
        lines.put("dfs.namenode.redundancy.interval.seconds", "1");
        // Where as many DataNodes are left as there are replicas, a writer can't get another one.
        lines.put("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");
        if (clusterSpec.diskMegabytes() > 0) {
            // By default a DataNode takes no block when less than 1 GB would be left.
            lines.put("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
        }
        if (clusterSpec.ssdMegabytes() > 0) {
            lines.putAll(readCache(clusterSpec.ssdMegabytes()));
        }
        lines.putAll(clusterSpec.settings());
        return lines;
    }

    /** Every block is cached that is read twice, on three quarters of the SSD. */
    private static Map<String, String> readCache(int ssdMegabytes) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put(DATASET_FACTORY_KEY, "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.HearthDatasetFactory");
        lines.put("hearth.datanode.cache.mode", "on");
        lines.put("hearth.datanode.cache.dir", "${hadoop.tmp.dir}/ssd/" + CACHE_FOLDER);
        lines.put("hearth.datanode.cache.max.bytes", "" + 3L * MEBIBYTE * ssdMegabytes / 4);
        lines.put("hearth.datanode.cache.min.free.bytes", "" + MEBIBYTE);
        lines.put("hearth.datanode.cache.admission.reads", "1");
        lines.put("hearth.datanode.cache.max.daily.writes", "100");
        return lines;
    }

    /** Two NameNodes under one name, the active one of which ZooKeeper knows; each is called like its host. */
    private static Map<String, String> pairOfNameNodes() {
        Map<String, String> lines = new LinkedHashMap<>();
        List<String> hosts = List.of(ClusterLayout.NAMENODE_HOST, ClusterLayout.SECOND_NAMENODE_HOST);
        lines.put("dfs.nameservices", NAME_SERVICE);
        lines.put("dfs.ha.namenodes." + NAME_SERVICE, String.join(",", hosts));
        lines.put("dfs.ha.namenode.id", MY_HOST);
        for (String host : hosts) {
            lines.put("dfs.namenode.rpc-address." + NAME_SERVICE + "." + host, host + ":8020");
            lines.put("dfs.namenode.http-address." + NAME_SERVICE + "." + host, host + ":9870");
        }
        lines.put(
                "dfs.namenode.shared.edits.dir", "qjournal://" + ClusterLayout.NAMENODE_HOST + ":8485/" + NAME_SERVICE);
        lines.put("dfs.journalnode.edits.dir", "${hadoop.tmp.dir}/dfs/journal");
        lines.put("dfs.journalnode.rpc-address", MY_ADDRESS + ":8485");
        lines.put("dfs.journalnode.http-address", MY_ADDRESS + ":8480");
        lines.put(
                "dfs.client.failover.proxy.provider." + NAME_SERVICE,
                "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
        lines.put("dfs.ha.automatic-failover.enabled", "true");
        lines.put("ha.zookeeper.quorum", ClusterLayout.NAMENODE_HOST + ":" + DaemonRole.ZOOKEEPER.watchedPort());
        // The JournalNode takes no edits from a NameNode that is not active any more.
        lines.put("dfs.ha.fencing.methods", "shell(/bin/true)");
        // A NameNode that has become active deletes no replica on a DataNode before it has been told all that is there:
        // every 6 hours.
        lines.put("dfs.blockreport.intervalMsec", "20000");
        // A NameNode that restarts as the standby leaves safe mode when it has read the edits that name the last
        // blocks: by
        // default up to 3 minutes later.
        lines.put("dfs.ha.log-roll.period", "5s");
        lines.put("dfs.ha.tail-edits.period", "1s");
        return lines;
    }

    /** HDFS as clients name it. */
    private static String hdfsUri(ClusterSpec clusterSpec) {
        return "hdfs://" + (clusterSpec.isHighlyAvailable() ? NAME_SERVICE : ClusterLayout.NAMENODE_HOST + ":8020");
    }

    /** hbase-site.xml but for what installs Hearth. */
    public static Map<String, String> hbase(ClusterSpec clusterSpec) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("hbase.cluster.distributed", "true");
        lines.put("hbase.rootdir", hdfsUri(clusterSpec) + HBASE_FOLDER);
        lines.put("hbase.tmp.dir", "${hadoop.tmp.dir}/hbase");
        lines.put("hbase.zookeeper.quorum", ClusterLayout.NAMENODE_HOST);
        lines.put("zookeeper.session.timeout", "20000");
        lines.put("hbase.master.hostname", MY_HOST);
        lines.put("hbase.master.ipc.address", MY_ADDRESS);
        lines.put("hbase.master.info.bindAddress", MY_ADDRESS);
        lines.put("hbase.unsafe.regionserver.hostname", MY_HOST);
        lines.put("hbase.regionserver.ipc.address", MY_ADDRESS);
        lines.put("hbase.regionserver.info.bindAddress", MY_ADDRESS);
        lines.put("hbase.master.wait.on.regionservers.mintostart", "" + clusterSpec.hosts());
        lines.put("hbase.regionserver.msginterval", "1000");
        lines.put("hbase.regionserver.handler.count", "10");
        lines.put("hbase.hregion.memstore.flush.size", "" + 16 * MEBIBYTE);
        // Kept chunks fill a small heap for good after the first load, and full collections of it are pauses.
        lines.put("hbase.hregion.memstore.chunkpool.maxsize", "0");
        lines.put("hbase.balancer.period", "30000");
        if (clusterSpec.diskMegabytes() > 0) {
            // The HMaster's own log has blocks of twice that, 256 MB by default, which a disk must have room for.
            lines.put("hbase.master.store.region.flush.size", "" + 4 * MEBIBYTE);
            // Compacted files and old logs are kept for 5 and 10 minutes by default: the load of a few faults fills a
            // small disk.
            lines.put("hbase.master.cleaner.interval", "10000");
            lines.put("hbase.master.hfilecleaner.ttl", "10000");
            lines.put("hbase.master.logcleaner.ttl", "10000");
        }
        // HBase's class loader for jars from HDFS would leave a folder behind.
        lines.put("hbase.use.dynamic.jars", "false");
        lines.putAll(clusterSpec.settings());
        return lines;
    }
}
