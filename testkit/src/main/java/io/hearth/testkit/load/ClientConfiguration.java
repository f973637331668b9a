// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.process.FolderOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name a cluster to which clients connect: the process cluster, or any by its client configuration. */
final class ClientConfiguration {

    private static final String SITE = "hbase-site.xml";

    @Option(
            names = "--config",
            paramLabel = "DIR",
            description = "the client configuration of another cluster: a folder with its hbase-site.xml")
    private Optional<Path> config = Optional.empty();

    @Mixin
    private FolderOption cluster;

    /** What is wrong with them, in one line; absent if nothing. */
    Optional<String> problem() {
        if (Files.exists(folder().resolve(SITE))) {
            return Optional.empty();
        }
        return Optional.of(
                config.isPresent()
                        ? "--config is " + config.get() + "; it must be a folder with an " + SITE
                        : cluster.noClusterMessage() + ", and --config names another");
    }

    private Path folder() {
        return config.orElse(cluster.folder().resolve("conf"));
    }

    /** The configuration. To be called before any host name is looked up: those of a process cluster are known nowhere else. */
    Configuration read() {
        Path hosts = folder().resolve("hosts");
        if (Files.exists(hosts)) {
            System.setProperty("jdk.net.hosts.file", hosts.toString());
        }
        Configuration configuration = HBaseConfiguration.create();
        Stream.of("core-site.xml", "hdfs-site.xml", SITE)
                .map(folder()::resolve)
                .filter(Files::exists)
                .forEach(file -> configuration.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        return configuration;
    }
}
