// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.nio.file.Path;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;

/**
 * The configuration of an embedded cluster before the operator's own lines: small, fast to notice a change, on the
 * loopback device and inside one directory.
 */
final class ClusterDefaults {
    private static final int MEBIBYTE = 1 << 20;

    private ClusterDefaults() {}

    static void apply(Configuration conf, Path directory, int hosts, int replication, long blockSizeBytes) {
        directories(conf, directory);
        hdfs(conf, replication, blockSizeBytes);
        hdfsClient(conf);
        hbaseClient(conf);
        master(conf, hosts);
        regionServer(conf);
        memory(conf);
    }

    private static void directories(Configuration conf, Path directory) {
        conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
        conf.set("hbase.tmp.dir", directory.resolve("hbase").toString());
        conf.set("hbase.local.dir", directory.resolve("hbase/local").toString());
        conf.set("hadoop.http.temp.dir", directory.resolve("http").toString());
        conf.set("hdfs.minidfs.basedir", directory.resolve("dfs").toString());
        // Its default asks for the machine's own name, which the hosts file need not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setBoolean("fs.automatic.close", false);
        conf.setBoolean("hbase.shutdown.hook", false);
    }

    /** Replaced replicas vanish, and lost ones are copied, within a few seconds. */
    private static void hdfs(Configuration conf, int replication, long blockSizeBytes) {
        conf.setInt("dfs.replication", replication);
        conf.setLong("dfs.blocksize", blockSizeBytes);
        conf.setLong("dfs.namenode.fs-limits.min-block-size", Math.min(blockSizeBytes, MEBIBYTE));
        conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
        // A busy writer would otherwise get its first replica elsewhere.
        conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
        conf.setInt("dfs.heartbeat.interval", 1);
        // A DataNode that is silent for 40 s is dead: a busy machine may well keep one silent for 20.
        conf.setInt("dfs.namenode.heartbeat.recheck-interval", 15_000);
        conf.setInt("dfs.namenode.stale.datanode.interval", 10_000);
        // Of too many replicas the NameNode deletes the one with the least room, though a DataNode was silent for 4 s.
        conf.setInt("dfs.namenode.tolerate.heartbeat.multiplier", 40);
        conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
        conf.setInt("dfs.namenode.replication.max-streams", 50);
        conf.setInt("dfs.namenode.replication.max-streams-hard-limit", 100);
        conf.setFloat("dfs.namenode.invalidate.work.pct.per.iteration", 1.0f);
        conf.setLong("dfs.datanode.balance.bandwidthPerSec", 1024L * MEBIBYTE);
        conf.setInt("dfs.datanode.balance.max.concurrent.moves", 100);
        conf.setInt("dfs.namenode.handler.count", 8);
        conf.setInt("dfs.namenode.service.handler.count", 4);
        conf.setInt("dfs.datanode.handler.count", 2);
        // It is for replicas that a client has asked for by the names of their hosts.
        conf.setBoolean("dfs.datanode.block-pinning.enabled", true);
        conf.setLong("dfs.block.scanner.volume.bytes.per.second", 0);
        conf.setInt("dfs.datanode.directoryscan.interval", -1);
    }

    /** Open streams learn of moved blocks within seconds, and so does the locality that RegionServers report. */
    private static void hdfsClient(Configuration conf) {
        // The client's shared state is kept by this name: each cluster gets its own.
        conf.set("dfs.client.context", "embedded-" + UUID.randomUUID());
        conf.setLong("dfs.client.refresh.read-block-locations.ms", 2_000);
        conf.setInt("dfs.client.refresh.read-block-locations.threads", 2);
        conf.setInt("dfs.client.retry.window.base", 50);
        // A connection that comes back later belongs to whichever thread was first to need it.
        conf.setInt("ipc.client.connection.maxidletime", 3_600_000);
        conf.setInt("dfs.client.read.prefetch.size", 100 * MEBIBYTE);
        conf.setBoolean("hbase.locality.inputstream.derive.enabled", true);
        conf.setInt("hbase.locality.inputstream.derive.cache.period", 1_000);
    }

    /** Admin calls poll their procedures at growing multiples of the pause: at 100 ms most of the wait is idle. */
    private static void hbaseClient(Configuration conf) {
        conf.setInt("hbase.client.pause", 20);
        conf.setInt("hbase.client.retries.number", 30);
    }

    private static void master(Configuration conf, int hosts) {
        conf.set("hbase.master.hostname", "localhost");
        conf.set("hbase.master.ipc.address", "127.0.0.1");
        conf.setInt("hbase.master.port", 0);
        conf.setInt("hbase.master.info.port", -1);
        conf.setInt("hbase.master.wait.on.regionservers.mintostart", hosts);
        conf.setInt("hbase.master.wait.on.regionservers.maxtostart", hosts);
        conf.setInt("hbase.master.wait.on.regionservers.timeout", 60_000);
        conf.setInt("hbase.master.wait.on.regionservers.interval", 500);
        conf.setInt("hbase.balancer.statusPeriod", 1_000);
        conf.setInt("hbase.balancer.max.balancing", 10_000);
        conf.setInt("hbase.master.hbck.chore.interval", 0);
        // A move that somebody asks for is waited for in steps of this: of a second by default.
        conf.setInt("hbase.master.event.waiting.time", 50);
        conf.setBoolean("hbase.snapshot.enabled", false);
        conf.setInt("hbase.master.cleaner.interval", 60_000);
        conf.setInt("hbase.master.logcleaner.ttl", 10_000);
        conf.setInt("hbase.lease.recovery.first.pause", 500);
    }

    private static void regionServer(Configuration conf) {
        conf.setInt("hbase.regionserver.port", 0);
        conf.setInt("hbase.regionserver.info.port", -1);
        conf.setInt("hbase.regionserver.msginterval", 1_000);
        conf.setInt("hbase.regionserver.handler.count", 10);
        conf.setInt("hbase.regionserver.metahandler.count", 5);
        conf.setInt("hbase.regionserver.replication.handler.count", 1);
        conf.setInt("hbase.regionserver.bulkload.handler.count", 1);
        // What compactions have replaced is archived within that time, and the healer leaves it alone as long.
        conf.setInt("hbase.hfile.compaction.discharger.interval", 2_000);
        // The timer of a killed RegionServer would end this JVM after 20 minutes.
        conf.setLong("hbase.regionserver.abort.timeout", 30L * 24 * 3600 * 1000);
    }

    /** For about ten regions on each of six RegionServers that share one heap. */
    private static void memory(Configuration conf) {
        conf.setLong("hbase.hregion.memstore.flush.size", 8L * MEBIBYTE);
        conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
        conf.setFloat("hbase.regionserver.global.memstore.size", 0.04f);
        conf.setFloat("hfile.block.cache.size", 0.04f);
        conf.setLong("hbase.regionserver.hlog.blocksize", 16L * MEBIBYTE);
    }
}
