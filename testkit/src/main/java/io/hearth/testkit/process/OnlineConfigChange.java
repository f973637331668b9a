// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.process.layout.ConfFileContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;

/** Changes hbase-site.xml under a running cluster and has the HMaster read it again, and puts back what was there. */
public final class OnlineConfigChange implements AutoCloseable {

    private final Path file;
    private final String before;
    private final Map<String, String> lines = new LinkedHashMap<>();
    private final Admin admin;

    public OnlineConfigChange(Path conf, Admin admin) throws IOException {
        this.file = conf.resolve("hbase-site.xml");
        this.before = Files.readString(file);
        this.admin = admin;
        readLines();
    }

    private void readLines() {
        lines.clear();
        Configuration site = new Configuration(false);
        site.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
        // Raw, because what differs between hosts stands there as a variable.
        site.getPropsWithPrefix("").keySet().forEach(key -> lines.put(key, site.getRaw(key)));
    }

    /** What a key is set to now; empty where it is not in the file. */
    public String get(String key) {
        return lines.getOrDefault(key, "");
    }

    public void set(Map<String, String> settings) throws IOException {
        lines.putAll(settings);
        Files.writeString(file, ConfFileContents.site(lines));
        reload();
    }

    private void reload() throws IOException {
        admin.updateConfiguration(admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER))
                .getMasterName());
    }

    /** Puts back what was there. */
    public void revert() throws IOException {
        Files.writeString(file, before);
        readLines();
        reload();
    }

    @Override
    public void close() throws IOException {
        revert();
    }
}
