// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import io.hearth.healer.config.LoginSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A cluster's client configuration: {@code core-site.xml}, {@code hdfs-site.xml} and {@code hbase-site.xml} of a folder, or of
 * those that {@code HADOOP_CONF_DIR} and {@code HBASE_CONF_DIR} name, or of the class path.
 */
public final class SiteConfigLoader {

    private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");
    private static final List<String> DEFAULTS = List.of("core-default.xml", "hdfs-default.xml", "hbase-default.xml");
    private static final List<String> FOLDERS = List.of("HADOOP_CONF_DIR", "HBASE_CONF_DIR");

    /** Five retries of HBase's client take about ten seconds; a command should not wait longer. */
    private static final int MOST_RETRIES = 5;

    private SiteConfigLoader() {}

    /**
     * The client configuration of a cluster. A folder stands for itself: of the class path, which may be of another cluster, only those of
     * the three files are read that the folder lacks.
     *
     * @param folder what the user has named, with an {@code hbase-site.xml} in it
     */
    public static Configuration load(Optional<Path> folder, Map<String, String> environment) {
        if (folder.isPresent()) {
            return overDefaults(ofFolder(folder.get()));
        }
        Configuration site = HBaseConfiguration.create();
        folders(folder, environment).forEach(there -> add(site, there));
        limitRetries(site);
        return site;
    }

    private static Configuration ofFolder(Path folder) {
        Configuration lines = new Configuration(false);
        for (String name : FILES) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                lines.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
            } else {
                lines.addResource(name);
            }
        }
        return lines;
    }

    /**
     * The client configuration of a cluster by this folder and the defaults of HBase and Hadoop: what the class path or the environment says
     * of another cluster is no part of it.
     *
     * @param folder with an {@code hbase-site.xml} in it
     */
    public static Configuration ofFolderAlone(Path folder) {
        Configuration lines = new Configuration(false);
        add(lines, folder);
        return overDefaults(lines);
    }

    private static Configuration overDefaults(Configuration lines) {
        Configuration site = new Configuration(Defaults.PARSED);
        lines.forEach(line -> site.set(line.getKey(), line.getValue()));
        limitRetries(site);
        return site;
    }

    /** The defaults of HBase and Hadoop, which are half a megabyte: for a hundred folders they are parsed once. */
    private static final class Defaults {

        private static final Configuration PARSED = parsed();

        private static Configuration parsed() {
            Configuration defaults = new Configuration(false);
            DEFAULTS.forEach(defaults::addResource);
            if (defaults.size() == 0) {
                throw new IllegalStateException("The defaults of HBase and Hadoop are not on the class path.");
            }
            return defaults;
        }
    }

    /** The files that it is read from: those of the folders that are named, and those of the class path that {@link #load} reads. */
    public static List<Path> files(Optional<Path> folder, Map<String, String> environment) {
        List<Path> files = new ArrayList<>();
        Configuration classPath = new Configuration(false);
        for (String name : FILES) {
            folders(folder, environment).forEach(there -> files.add(there.resolve(name)));
            URL resource = classPath.getResource(name);
            boolean isRead = folder.isEmpty() || !Files.exists(folder.get().resolve(name));
            if (isRead && resource != null && resource.getProtocol().equals("file")) {
                // Its path has %20 and the like where the folder has blanks.
                files.add(Path.of(URI.create(resource.toString())));
            }
        }
        return files;
    }

    private static void limitRetries(Configuration site) {
        site.setInt(
                HConstants.HBASE_CLIENT_RETRIES_NUMBER,
                Math.min(MOST_RETRIES, site.getInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, MOST_RETRIES)));
    }

    private static List<Path> folders(Optional<Path> folder, Map<String, String> environment) {
        return folder.map(List::of).orElseGet(() -> FOLDERS.stream()
                .map(environment::get)
                .filter(name -> name != null && !name.isBlank())
                .map(Path::of)
                .toList());
    }

    /**
     * Looks whether there is an {@code hbase-site.xml} where {@code HBASE_CONF_DIR} says. HBase reads its defaults instead without a word,
     * and then waits for a ZooKeeper on this machine.
     *
     * @throws IOException if there is none
     */
    public static void checkFolder(Map<String, String> environment) throws IOException {
        String folder = environment.getOrDefault("HBASE_CONF_DIR", "");
        if (!folder.isBlank() && !Files.isReadable(Path.of(folder).resolve("hbase-site.xml"))) {
            throw new IOException("HBASE_CONF_DIR is " + folder
                    + ", which has no hbase-site.xml that can be read; name the cluster's folder there or by --config");
        }
    }

    private static void add(Configuration site, Path folder) {
        for (String file : FILES) {
            if (Files.isReadable(folder.resolve(file))) {
                site.addResource(
                        new org.apache.hadoop.fs.Path(folder.resolve(file).toUri()));
            }
        }
    }

    private static final String REGISTRY = "hbase.client.registry.impl";
    private static final String ZOOKEEPER = "ZKConnectionRegistry";

    /**
     * Looks up the hosts of ZooKeeper that a configuration names. ZooKeeper's client does not say that this machine knows no address of
     * theirs: it tries for long, and ends with a timeout.
     *
     * @throws IOException if none of them has an address, with what to do
     */
    public static void checkZooKeeperHosts(Configuration site) throws IOException {
        if (!site.get(REGISTRY, ZOOKEEPER).contains(ZOOKEEPER)) {
            return;
        }
        List<String> hosts = Arrays.stream(site.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST)
                        .split(","))
                .map(host -> host.strip().replaceFirst(":\\d+$", ""))
                .filter(host -> !host.isEmpty())
                .toList();
        if (!hosts.isEmpty() && hosts.stream().noneMatch(SiteConfigLoader::hasAddress)) {
            throw new IOException("no address is known for the host "
                    + String.join(", ", hosts) + ", of " + HConstants.ZOOKEEPER_QUORUM
                    + ". Ask from a machine that resolves the cluster's names, or add them to /etc/hosts");
        }
    }

    private static boolean hasAddress(String host) {
        try {
            return InetAddress.getAllByName(host).length > 0;
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** This process can't log in to the cluster. Its message is one line that says what to do. */
    public static final class ClientLoginException extends IOException {

        public static final String NO_TICKET = "no Kerberos ticket: run kinit";

        ClientLoginException(String message) {
            super(message);
        }
    }

    /**
     * Has Hadoop log in by this configuration (by itself it reads {@code core-site.xml} of the class path alone), and looks whether there
     * is a ticket. Without one HBase's client tries for long, and then says that the master does not answer. A process has one login: this
     * is for the first cluster that it asks.
     *
     * @throws ClientLoginException if the cluster has Kerberos, and this machine no realm or the user neither a ticket nor a token; a keytab
     *     of the healer's is a login of its own
     */
    public static void prepareLogin(Configuration site) throws IOException {
        try {
            UserGroupInformation.setConfiguration(site);
        } catch (IllegalArgumentException impossible) {
            throw new ClientLoginException("Hadoop can't log in by this configuration: " + impossible.getMessage()
                    + ". Check hadoop.security.authentication and krb5.conf");
        }
        if (User.isHBaseSecurityEnabled(site) && site.get(LoginSettings.KEYTAB_FILE.key()) == null) {
            checkTicket();
        }
    }

    private static void checkTicket() throws IOException {
        if (!UserGroupInformation.isSecurityEnabled()) {
            throw new ClientLoginException(
                    "hbase.security.authentication is kerberos, and hadoop.security.authentication is"
                            + " not: name a folder with the cluster's core-site.xml");
        }
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
        if (!real.hasKerberosCredentials() && user.getTokens().isEmpty()) {
            throw new ClientLoginException(ClientLoginException.NO_TICKET);
        }
    }
}
