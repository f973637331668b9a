package io.hearth.procs;

import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.NamespaceCommands;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.SiteSettings;
import io.hearth.procs.layout.Wiring;
import io.hearth.procs.system.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command lines of a cluster's JVMs. */
final class ServerCommand {

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

    private final ClusterFolder folder;
    private final ClusterLayout layout;
    private final Installation installation;

    ServerCommand(ClusterFolder folder, ClusterLayout layout, Installation installation) {
        this.folder = folder;
        this.layout = layout;
        this.installation = installation;
    }

    /** A member of the cluster, on its host. */
    Launch of(Member member) {
        return member.role() == Role.UPLINK ? uplink(member) : server(member);
    }

    /** The way between racks, at the bridges. */
    private Launch uplink(Member member) {
        NamespaceCommands commands = new NamespaceCommands(layout);
        List<String> command = new ArrayList<>(commands.runAtTheBridges());
        command.add(java());
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx" + member.role().heapMegabytes() + "m",
                "-Djava.io.tmpdir=" + folder.tmp(),
                member.role().mainClass()));
        command.addAll(commands.relayArguments());
        return new Launch(command, Map.of("CLASSPATH", installation.relayClassPath()), folder.output(member));
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private Launch server(Member member) {
        List<String> arguments = new ArrayList<>();
        arguments.add(member.role().mainClass());
        arguments.addAll(member.role().arguments());
        if (member.role() == Role.ZOOKEEPER) {
            arguments.add(folder.conf().resolve("zoo.cfg").toString());
        }
        return launch(member, arguments);
    }

    /** What makes the NameNode's folder before it is started for the first time. */
    Launch format(Member nameNode) {
        return launch(nameNode, List.of(nameNode.role().mainClass(), "-format", "-nonInteractive"));
    }

    private Launch launch(Member member, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (layout.shape().wiring() == Wiring.NAMESPACES) {
            command.addAll(new NamespaceCommands(layout).runOn(member.host()));
        }
        command.add(java());
        command.addAll(flags(member));
        command.addAll(arguments);
        return new Launch(
                command,
                Map.of(
                        "CLASSPATH",
                        installation.serverClassPath(folder, layout.shape().wiring()),
                        SiteSettings.HOST,
                        member.host().name(),
                        SiteSettings.ADDRESS,
                        member.host().address()),
                folder.output(member));
    }

    private List<String> flags(Member member) {
        List<String> flags = new ArrayList<>(common(folder));
        flags.add("-Xmx" + member.role().heapMegabytes() + "m");
        flags.add("-Dhearth.log=" + folder.log(member));
        return flags;
    }

    /** The flags of every JVM of the cluster, small ones with a short life. */
    static List<String> common(ClusterFolder folder) {
        List<String> flags = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
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
