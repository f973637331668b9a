package io.hearth.procs;

import io.hearth.cluster.ClusterHost;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.NamespaceCommands;
import io.hearth.procs.layout.Role;
import io.hearth.procs.layout.SiteSettings;
import io.hearth.procs.layout.Wiring;
import io.hearth.procs.system.Launch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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

    private static final int ERRAND_MEGABYTES = 192;

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
        return new Launch(command, Map.of("CLASSPATH", installation.relayClassPath()), folder.output(member.name()));
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
        boolean isHBaseUser = layout.shape().hbaseUser() && member.role().isOfHBase();
        Map<String, String> user = isHBaseUser ? Map.of("HADOOP_USER_NAME", SiteSettings.HBASE_USER) : Map.of();
        return launch(member.name(), member.host(), member.role().heapMegabytes(), user, arguments);
    }

    /** A process that is no member, on its host. */
    Launch of(Errand errand) {
        List<String> arguments = new ArrayList<>(List.of(errand.mainClass()));
        arguments.addAll(errand.arguments());
        return launch(errand.name(), errand.host(), ERRAND_MEGABYTES, Map.of(), arguments);
    }

    private Launch launch(
            String name, ClusterHost host, int heapMegabytes, Map<String, String> user, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (layout.shape().wiring() == Wiring.NAMESPACES) {
            command.addAll(new NamespaceCommands(layout).runOn(host));
        }
        command.add(java());
        command.addAll(common(folder));
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-Dhearth.log=" + folder.log(name));
        if (layout.shape().ownClocks()) {
            command.add("-javaagent:" + folder.clocksJar() + "=" + folder.clock(host));
        }
        command.addAll(arguments);
        Map<String, String> environment = new HashMap<>(user);
        environment.put(
                "CLASSPATH", installation.serverClassPath(folder, layout.shape().wiring()));
        environment.put(SiteSettings.HOST, host.name());
        environment.put(SiteSettings.ADDRESS, host.address());
        return new Launch(command, environment, folder.output(name));
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
