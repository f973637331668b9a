package io.hearth.healing.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/**
 * A cluster's client configuration: {@code core-site.xml}, {@code hdfs-site.xml} and {@code hbase-site.xml} of a folder, or of
 * those that {@code HADOOP_CONF_DIR} and {@code HBASE_CONF_DIR} name, or of the class path.
 */
public final class ClusterSite {

    private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");
    private static final List<String> FOLDERS = List.of("HADOOP_CONF_DIR", "HBASE_CONF_DIR");

    /** About ten seconds: somebody waits, or the healing loop asks again anyhow. */
    private static final int MOST_RETRIES = 5;

    private ClusterSite() {}

    /**
     * Reads it.
     *
     * @param folder what the user has named, with an {@code hbase-site.xml} in it
     */
    public static Configuration load(Optional<Path> folder, Map<String, String> environment) {
        Configuration site = HBaseConfiguration.create();
        if (folder.isPresent()) {
            add(site, folder.get());
        } else {
            FOLDERS.stream()
                    .map(environment::get)
                    .filter(name -> name != null && !name.isBlank())
                    .forEach(name -> add(site, Path.of(name)));
        }
        site.setInt(
                HConstants.HBASE_CLIENT_RETRIES_NUMBER,
                Math.min(MOST_RETRIES, site.getInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, MOST_RETRIES)));
        return site;
    }

    private static void add(Configuration site, Path folder) {
        for (String file : FILES) {
            if (Files.isReadable(folder.resolve(file))) {
                site.addResource(
                        new org.apache.hadoop.fs.Path(folder.resolve(file).toUri()));
            }
        }
    }
}
