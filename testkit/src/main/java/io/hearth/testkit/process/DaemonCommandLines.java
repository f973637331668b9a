// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.AuxiliaryProcess.OneShotProcess;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.layout.NamespaceCommands;
import io.hearth.testkit.process.layout.SiteSettings;
import io.hearth.testkit.process.system.DetachedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command lines of a cluster's JVMs. */
final class DaemonCommandLines {

    /** What HBase and HDFS reach by reflection on Java 17. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.lang.reflect",
            "java.io",
            "java.net",
            "java.nio",
            "java.text",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "sun.nio.ch",
            "jdk.internal.misc");

    private static final int ONE_SHOT_MEGABYTES = 192;

    private final ClusterFolder folder;
    private final ClusterLayout layout;
    private final Installation installation;

    DaemonCommandLines(ClusterFolder folder, ClusterLayout layout, Installation installation) {
        this.folder = folder;
        this.layout = layout;
        this.installation = installation;
    }

    /** A member of the cluster, on its host. */
    DetachedProcess of(Daemon daemon) throws IOException {
        return daemon.role() == DaemonRole.UPLINK ? uplink(daemon) : server(daemon);
    }

    /** The way between racks, at the bridges. */
    private DetachedProcess uplink(Daemon daemon) {
        NamespaceCommands commands = new NamespaceCommands(layout);
        List<String> command = new ArrayList<>(commands.runAtTheBridges());
        command.add(java());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx" + daemon.role().heapMegabytes() + "m",
                "-Djava.io.tmpdir=" + folder.tmp(),
                daemon.role().mainClass()));
        command.addAll(commands.relayArguments());
        return new DetachedProcess(
                command, Map.of("CLASSPATH", installation.relayClassPath()), folder.output(daemon.name()));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private DetachedProcess server(Daemon daemon) throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.add(daemon.role().mainClass());
        arguments.addAll(daemon.role().arguments());
        if (daemon.role() == DaemonRole.ZOOKEEPER) {
            arguments.add(folder.conf().resolve("zoo.cfg").toString());
        }
        boolean isHBaseUser = layout.clusterSpec().hbaseUser() && daemon.role().isOfHBase();
        Map<String, String> user = isHBaseUser ? Map.of("HADOOP_USER_NAME", SiteSettings.HBASE_USER) : Map.of();
        return launch(
                daemon.name(),
                daemon.host(),
                layout.heapMegabytes(daemon.role()),
                user,
                release(daemon.role()),
                arguments);
    }

    /** Where the class path of servers of this role stands, where it is another release's. */
    private Optional<Path> release(DaemonRole role) {
        if (role.isOfHBase()) {
            return Optional.of(folder.hbaseClassPath());
        }
        return role.isOfHdfs() ? Optional.of(folder.hadoopClassPath()) : Optional.empty();
    }

    /** A program of HDFS's that is no member, on its host. */
    DetachedProcess of(OneShotProcess oneShotProcess) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(oneShotProcess.mainClass()));
        arguments.addAll(oneShotProcess.arguments());
        return launch(
                oneShotProcess.name(),
                oneShotProcess.host(),
                ONE_SHOT_MEGABYTES,
                Map.of(),
                Optional.of(folder.hadoopClassPath()),
                arguments);
    }

    private DetachedProcess launch(
            String name,
            ClusterHost host,
            int heapMegabytes,
            Map<String, String> user,
            Optional<Path> release,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (layout.clusterSpec().networkMode() == NetworkMode.NAMESPACES) {
            command.addAll(new NamespaceCommands(layout).runOn(host));
        }
        command.add(java());
        command.addAll(common(folder));
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-Dhearth.log=" + folder.log(name));
        if (layout.clusterSpec().ownClocks()) {
            command.add("-javaagent:" + folder.clocksJar() + "=" + folder.clock(host));
        }
        command.addAll(arguments);
        Map<String, String> environment = new HashMap<>(user);
        environment.put(
                "CLASSPATH",
                installation.serverClassPath(folder, layout.clusterSpec().networkMode(), host, release));
        environment.put(SiteSettings.HOST, host.name());
        environment.put(SiteSettings.ADDRESS, host.address());
        return new DetachedProcess(command, environment, folder.output(name));
    }

    /** The flags of every JVM of the cluster, small ones with a short life. */
    static List<String> common(ClusterFolder folder) {
        List<String> flags = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Else the first minutes are full of pauses: for memory that the machine has yet to give, and for
                // classes.
                "-XX:+AlwaysPreTouch",
                "-XX:MetaspaceSize=96m",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.awt.headless=true",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + folder.tmp(),
                "-Djdk.net.hosts.file=" + folder.hostsFile(),
                "-Dlog4j.configuration=file:" + folder.conf().resolve("log4j.properties")));
        OPENED.forEach(name -> flags.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        return flags;
    }
}
