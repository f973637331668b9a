// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.CommandGroup.HelpOption;
import io.hearth.cli.heal.SiteConfigLoader;
import io.hearth.common.hadoop.ConfigFileWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that every command on a cluster has. */
final class ClusterOptions extends HelpOption {

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "DIR",
            description = {
                "the folder of hbase-site.xml, core-site.xml and hdfs-site.xml; of the class path",
                "only a file that it lacks is read",
                "(default: those of HADOOP_CONF_DIR and HBASE_CONF_DIR, or the class path's)"
            })
    private @Nullable Path config;

    ClusterOptions() {}

    /** A wrong value, and what is allowed. */
    ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Complains where this file can't be written. */
    void checkWritable(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw problem(option + " is " + file + "; it must be a file in a folder that exists and can be written to");
        }
    }

    /**
     * The cluster's configuration, by which this process logs in from now on.
     *
     * @throws IOException if there is none where the environment says, no host of ZooKeeper's in it has an address, or there is no
     *     Kerberos ticket for it
     */
    Configuration site() throws IOException {
        if (config != null && !Files.isReadable(config.resolve("hbase-site.xml"))) {
            throw problem("--config is " + config + "; it must be a folder with an hbase-site.xml");
        }
        if (config == null) {
            SiteConfigLoader.checkFolder(System.getenv());
        }
        Configuration site;
        try {
            site = load();
        } catch (RuntimeException unreadable) {
            throw problem("a site file can't be read: " + words(unreadable));
        }
        SiteConfigLoader.prepareLogin(site);
        SiteConfigLoader.checkZooKeeperHosts(site);
        return site;
    }

    /** The files of it, from now on. */
    ConfigFileWatcher watch() {
        return new ConfigFileWatcher(
                () -> SiteConfigLoader.files(Optional.ofNullable(config), System.getenv()), this::load);
    }

    /** In one line; Hadoop has the reason in the cause, and in its second line which file it is, and where in it. */
    private static String words(RuntimeException unreadable) {
        Throwable cause = unreadable.getCause() == null ? unreadable : unreadable.getCause();
        return String.valueOf(cause.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private Configuration load() {
        return SiteConfigLoader.load(Optional.ofNullable(config), System.getenv());
    }
}
