package io.hearth.bench.readers;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** How the readers and the DataNodes of a row are set up. */
public enum ReaderSetup {
    /** Hadoop's and HBase's own defaults. */
    DEFAULT("client's defaults", false, false),
    /** What conf/regionserver/hbase-site.xml has for RegionServers. */
    OURS("ours", true, false),
    /** The same, and conf/datanode/grace.xml on the DataNodes. */
    OURS_WITH_JAR("ours + DataNode jar", true, true);

    /** What open readers need; docs/install.md says why. */
    static final List<String> READER_KEYS = List.of(
            "dfs.client.refresh.read-block-locations.ms",
            "dfs.client.retry.window.base",
            "dfs.client.read.prefetch.size",
            "dfs.domain.socket.disable.interval.seconds",
            "hbase.locality.inputstream.derive.enabled");

    static final List<String> DATANODE_KEYS = List.of(
            "dfs.datanode.fsdataset.factory", "hearth.datanode.grace.ms", "hearth.datanode.grace.min.free.bytes");

    private final String title;
    private final boolean hasReaderSettings;
    private final boolean hasJar;

    ReaderSetup(String title, boolean hasReaderSettings, boolean hasJar) {
        this.title = title;
        this.hasReaderSettings = hasReaderSettings;
        this.hasJar = hasJar;
    }

    public String title() {
        return title;
    }

    /** The properties of the cluster, from the files of this folder. */
    public Map<String, String> properties(Path confFolder) {
        Configuration reader = hasReaderSettings ? site(confFolder.resolve("regionserver/hbase-site.xml")) : defaults();
        Map<String, String> properties = new LinkedHashMap<>();
        READER_KEYS.forEach(key -> put(properties, key, reader));
        if (hasJar) {
            Configuration dataNode = site(confFolder.resolve("datanode/grace.xml"));
            DATANODE_KEYS.forEach(key -> put(properties, key, dataNode));
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
