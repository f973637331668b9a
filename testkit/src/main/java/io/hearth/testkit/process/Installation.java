// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.HostSocketFactory;
import io.hearth.testkit.process.clock.ClockAgent;
import io.hearth.testkit.process.clock.SteppedClock;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.ConfFileContents;
import io.hearth.testkit.process.layout.SiteSettings;
import io.hearth.testkit.process.system.SystemCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * HDFS, HBase and Hearth as they are put on the hosts of a process cluster: the class path, the jars and the configuration.
 *
 * <p>HDFS and HBase are the artifacts on this JVM's own class path, without Hearth and without the mini clusters. Hearth comes on it
 * as docs/install.md tells an operator: its two jars are copied into a folder of the class path, and what the fragments of
 * {@code conf/} hold is put into hbase-site.xml and hdfs-site.xml; the jar for DataNodes where the settings ask for it.
 *
 * @param root the folder of the project, with the jars and {@code conf/}
 * @param classPath the class path of this JVM
 */
record Installation(Path root, String classPath) {

    private static final List<String> JARS =
            List.of("balancer/target/hearth-balancer.jar", "coprocessor/target/hearth-coprocessor.jar");
    private static final List<String> HBASE_FRAGMENTS =
            List.of("conf/master/hbase-site.xml", "conf/regionserver/hbase-site.xml");
    private static final List<String> MODES = List.of("hearth.balancer.mode", "hearth.heal.mode");
    private static final List<String> HDFS_FRAGMENTS =
            List.of("conf/namenode/hdfs-site.xml", "conf/datanode/hdfs-site.xml");

    /** Optional, as for an operator: it is installed where the settings name what is in it. */
    private static final String DATANODE_JAR = "datanode/target/hearth-datanode.jar";

    private static final String TESTKIT_JAR = "hearth-testkit.jar";

    /** That of {@code bin/hearth}, which names the folder of the project in {@code hearth.root}. */
    static Installation ofThisJvm() {
        return new Installation(
                Path.of(System.getProperty("hearth.root", ".")).toAbsolutePath().normalize(),
                System.getProperty("java.class.path"));
    }

    /** Writes all that the processes need before they are started. */
    void prepare(ClusterFolder folder, ClusterLayout layout) throws IOException {
        for (Path each : List.of(folder.conf(), folder.lib(), folder.logs(), folder.data(), folder.tmp())) {
            Files.createDirectories(each);
        }
        if (layout.clusterSpec().hearth()) {
            for (String jar : JARS) {
                if (!isInRelease(jar, folder)) {
                    install(jar, folder, layout);
                }
            }
        }
        if (SiteSettings.hdfs(layout.clusterSpec()).containsKey(SiteSettings.DATASET_FACTORY_KEY)) {
            install(DATANODE_JAR, folder, layout);
        }
        name(folder, layout);
        if (layout.clusterSpec().ownClocks()) {
            ClockAgent.writeJar(folder.clocksJar());
        }
        for (ClusterHost host : layout.hosts()) {
            prepare(folder, layout, host);
        }
        Path topology = folder.conf().resolve("topology.sh");
        write(folder, "log4j.properties", ConfFileContents.log4j());
        write(folder, "hadoop-metrics2.properties", ConfFileContents.metrics());
        write(
                folder,
                "zoo.cfg",
                ConfFileContents.zookeeper(layout.hosts().get(0).address(), folder.data() + "/zookeeper"));
        Map<String, String> core =
                SiteSettings.core(layout.clusterSpec(), folder.data().toString(), topology.toString());
        if (layout.clusterSpec().networkMode() == NetworkMode.LOOPBACK) {
            // Else every connection would come from 127.0.0.1, and the NameNode would not know who writes.
            core.putAll(HostSocketFactory.settings(SiteSettings.MY_ADDRESS));
        }
        write(folder, "core-site.xml", ConfFileContents.site(core));
        write(
                folder,
                "hdfs-site.xml",
                ConfFileContents.site(with(HDFS_FRAGMENTS, SiteSettings.hdfs(layout.clusterSpec()), layout)));
        write(
                folder,
                "hbase-site.xml",
                ConfFileContents.site(with(HBASE_FRAGMENTS, SiteSettings.hbase(layout.clusterSpec()), layout)));
    }

    /** Writes what one host's processes need besides. */
    void prepare(ClusterFolder folder, ClusterLayout layout, ClusterHost host) throws IOException {
        if (layout.clusterSpec().ownClocks()) {
            SteppedClock.set(folder.clock(host), Duration.ZERO);
        }
    }

    /** Writes down the names and racks of the hosts, which running processes read again and again. */
    void name(ClusterFolder folder, ClusterLayout layout) throws IOException {
        replace(folder.hostsFile(), ConfFileContents.hosts(layout), false);
        replace(folder.conf().resolve("topology.sh"), ConfFileContents.topology(layout), true);
    }

    private static void replace(Path file, String text, boolean executable) throws IOException {
        Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text);
        if (executable && !next.toFile().setExecutable(true)) {
            throw new IOException(next + " can't be made executable");
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** For all hosts; where hosts have been given one of that name, of whichever build, it is theirs alone. */
    private void install(String jar, ClusterFolder folder, ClusterLayout layout) throws IOException {
        Path from = root.resolve(jar);
        if (layout.hosts().stream()
                .noneMatch(host -> Files.exists(folder.lib(host).resolve(from.getFileName())))) {
            Files.copy(from, folder.lib().resolve(from.getFileName()));
        }
    }

    /** A cluster's own lines with those of the fragments that it has none for. */
    private Map<String, String> with(List<String> fragments, Map<String, String> own, ClusterLayout layout) {
        if (layout.clusterSpec().hearth()) {
            Configuration added = new Configuration(false);
            fragments.forEach(fragment -> added.addResource(
                    new org.apache.hadoop.fs.Path(root.resolve(fragment).toUri())));
            // As an operator does who has seen the plans: without these lines Hearth acts.
            MODES.forEach(added::unset);
            added.getPropsWithPrefix("").forEach(own::putIfAbsent);
        }
        return own;
    }

    private static void write(ClusterFolder folder, String name, String text) throws IOException {
        Files.writeString(folder.conf().resolve(name), text);
    }

    /** The class path of a client: configuration, Hearth's folder, then HDFS and HBase. */
    String clientClassPath(ClusterFolder folder, NetworkMode networkMode) {
        return classPath(folder, List.of(folder.lib()), networkMode);
    }

    /** The class path of a server, which has the jars of its host besides; where that file is there, it is a release's. */
    String serverClassPath(ClusterFolder folder, NetworkMode networkMode, ClusterHost host, Optional<Path> ofRelease)
            throws IOException {
        List<Path> libs = List.of(folder.lib(), folder.lib(host));
        Optional<Path> written = ofRelease.filter(Files::exists);
        return written.isPresent()
                ? classPath(folder, libs, Stream.of(Files.readString(written.get()) + forSockets(networkMode)))
                : classPath(folder, libs, networkMode);
    }

    /** What servers on the loopback device need of this project, wherever the rest comes from. */
    private String forSockets(NetworkMode networkMode) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> networkMode == NetworkMode.LOOPBACK
                        && Path.of(entry).getFileName().toString().equals(TESTKIT_JAR))
                .map(entry -> File.pathSeparator + entry)
                .collect(Collectors.joining());
    }

    /**
     * Has HBase's servers run with the class path of a release, as it says itself; Hearth's jars that are in it are used from there alone.
     *
     * @throws IOException if it has no {@code bin/hbase} that says it
     */
    static void useRelease(ClusterFolder folder, Path hbaseHome) throws IOException, InterruptedException {
        String said = SystemCommand.run(hbaseHome.resolve("bin/hbase").toString(), "--internal-classpath", "classpath");
        writeClassPath(folder, folder.hbaseClassPath(), said);
    }

    /**
     * Has HDFS's servers run with the class path of a release, as it says itself.
     *
     * @throws IOException if it has no {@code bin/hadoop} that says it
     */
    static void useHadoopRelease(ClusterFolder folder, Path hadoopHome) throws IOException, InterruptedException {
        String said = SystemCommand.run(hadoopHome.resolve("bin/hadoop").toString(), "classpath");
        writeClassPath(folder, folder.hadoopClassPath(), said);
    }

    /** The last line of what a command said, which may have warned before. */
    private static void writeClassPath(ClusterFolder folder, Path file, String said) throws IOException {
        Files.createDirectories(folder.conf());
        Files.writeString(file, said.strip().lines().reduce("", (before, last) -> last));
    }

    private static boolean isInRelease(String jar, ClusterFolder folder) throws IOException {
        return Files.exists(folder.hbaseClassPath())
                && Arrays.stream(Files.readString(folder.hbaseClassPath()).split(File.pathSeparator))
                        .anyMatch(entry ->
                                Path.of(entry).getFileName().equals(Path.of(jar).getFileName()));
    }

    private String classPath(ClusterFolder folder, List<Path> libs, NetworkMode networkMode) {
        Stream<String> rest = Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> isForServers(Path.of(entry).getFileName().toString(), networkMode));
        return classPath(folder, libs, rest);
    }

    private static String classPath(ClusterFolder folder, List<Path> libs, Stream<String> rest) {
        Stream<String> first =
                Stream.concat(Stream.of(folder.conf().toString()), libs.stream().map(lib -> lib + "/*"));
        return Stream.concat(first, rest).collect(Collectors.joining(File.pathSeparator));
    }

    /** The class path of the way between racks: this project's test kit, and what opens devices. */
    String relayClassPath() {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> {
                    String jar = Path.of(entry).getFileName().toString();
                    return jar.equals(TESTKIT_JAR) || jar.matches("jna-[0-9.]+\\.jar");
                })
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isForServers(String jar, NetworkMode networkMode) {
        if (jar.equals(TESTKIT_JAR)) {
            // For the factory of sockets that are bound to a host's address.
            return networkMode == NetworkMode.LOOPBACK;
        }
        // HDFS's and HBase's web pages are in no other artifacts than their tests.
        return !jar.startsWith("hearth-")
                && (!jar.endsWith("-tests.jar") || jar.startsWith("hadoop-hdfs-") || jar.startsWith("hbase-server-"));
    }
}
