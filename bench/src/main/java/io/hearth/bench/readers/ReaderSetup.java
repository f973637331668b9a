// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import io.hearth.testkit.process.layout.SiteSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** How the readers and the DataNodes of a row are set up. */
public enum ReaderSetup {
    /** Hadoop's and HBase's own defaults. */
    DEFAULT("client's defaults"),
    /** What conf/regionserver/hbase-site.xml has for RegionServers. */
    HEARTH("ours"),
    /** The same, and conf/datanode/deletion-delay.xml on the DataNodes. */
    HEARTH_WITH_JAR("ours + DataNode jar"),
    /** The second, and conf/short-circuit.xml on both sides: only for processes, which need libhadoop for it. */
    HEARTH_SHORT_CIRCUIT("ours + short circuit");

    /** What open readers need; docs/install.md says why. */
    static final List<String> READER_KEYS = List.of(
            "dfs.client.refresh.read-block-locations.ms",
            "dfs.client.retry.window.base",
            "dfs.client.read.prefetch.size",
            "dfs.domain.socket.disable.interval.seconds",
            "hbase.locality.inputstream.derive.enabled");

    static final List<String> DATANODE_KEYS = List.of(
            "dfs.datanode.fsdataset.factory",
            "hearth.datanode.deletion.delay.ms",
            "hearth.datanode.deletion.delay.min.free.bytes");

    /** The rest of conf/regionserver/hbase-site.xml, as the HDFS client comes. */
    private static final Map<String, String> OTHER_DEFAULTS = Map.of(
            "dfs.client.socketcache.capacity", "16",
            "dfs.client.socket-timeout", "60000",
            "dfs.client.deadnode.detection.enabled", "false");

    private final String title;

    ReaderSetup(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }

    /** Whether it can be shown by processes alone. */
    public boolean needsProcesses() {
        return this == HEARTH_SHORT_CIRCUIT;
    }

    /** The properties of the cluster, from the files of this folder. */
    public Map<String, String> properties(Path confFolder) {
        Configuration reader = this == DEFAULT ? defaults() : site(confFolder.resolve("regionserver/hbase-site.xml"));
        Map<String, String> properties = new LinkedHashMap<>();
        READER_KEYS.forEach(key -> put(properties, key, reader));
        if (this == HEARTH_WITH_JAR) {
            Configuration dataNode = site(confFolder.resolve("datanode/deletion-delay.xml"));
            DATANODE_KEYS.forEach(key -> put(properties, key, dataNode));
        }
        return properties;
    }

    /** The same of a cluster of processes, in which all of conf/ is installed already. */
    Map<String, String> processProperties(Path confFolder) {
        Map<String, String> properties = properties(confFolder);
        if (this == DEFAULT) {
            properties.putAll(OTHER_DEFAULTS);
        }
        if (this == HEARTH_SHORT_CIRCUIT) {
            site(confFolder.resolve("short-circuit.xml"))
                    .forEach(line -> properties.put(line.getKey(), line.getValue()));
            // One for each host, as all of them share this machine's files.
            properties.put("dfs.domain.socket.path", ProcessReaderCluster.SOCKETS.resolve(SiteSettings.MY_HOST) + "");
        }
        return properties;
    }

    private static void put(Map<String, String> properties, String key, Configuration from) {
        String value = from.get(key);
        if (value != null) {
            properties.put(key, value);
        }
    }

    private static Configuration site(Path file) {
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()));
        return site;
    }

    /** Said in full, because the embedded cluster has choices of its own. */
    private static Configuration defaults() {
        Configuration defaults = new Configuration(false);
        defaults.set("dfs.client.refresh.read-block-locations.ms", "0");
        defaults.set("dfs.client.retry.window.base", "3000");
        defaults.set("dfs.client.read.prefetch.size", "" + 10 * ReaderScenario.BLOCK_BYTES);
        defaults.set("dfs.domain.socket.disable.interval.seconds", "600");
        defaults.set("hbase.locality.inputstream.derive.enabled", "false");
        return defaults;
    }
}
