// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.embedded.ClusterHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The commands of iproute2 that join and shape the network of a cluster of namespaces.
 *
 * <p>All bridges are in a namespace of their own, {@code hearth-ID-net}: one for the hosts of each rack and one, the core,
 * that joins the racks, the HMasters, the NameNode and the machine itself. A rack hangs on the core by one link, its
 * uplink, so that a rack can be far away or cut off. Every host is a namespace {@code hearth-ID-NAME} with one device,
 * {@code eth0}. On the machine itself there is one device, {@code hearth-ID}, and nothing else.
 */
public final class NamespaceCommands {

    /** What {@code netem} holds back at most, in packets: enough for 10 Gbit/s over 10 ms. */
    private static final String NETEM_PACKETS = "10000";

    /** A packet is as large as the kernel makes them between namespaces anyway: each costs the relay the same. */
    private static final String RELAYED_MTU = "60000";

    private static final int MICROS_OF_A_MILLI = 1_000;
    private static final int PREFIX_LENGTH = 24;
    private static final String CORE = "core";

    private final ClusterLayout layout;

    public NamespaceCommands(ClusterLayout layout) {
        this.layout = layout;
    }

    /** The namespace of a host. */
    public String namespaceOf(ClusterHost host) {
        return namespace(layout.id(), host.name());
    }

    /** Every namespace of the cluster: that of the bridges first. */
    public List<String> namespaces() {
        List<String> namespaces = new ArrayList<>();
        namespaces.add(net());
        layout.hosts().forEach(host -> namespaces.add(namespaceOf(host)));
        return namespaces;
    }

    /** The one device that the cluster has on the machine itself. */
    public String clientDevice() {
        return "hearth-" + layout.id();
    }

    /** From nothing to a network in which every host reaches every other. */
    public List<List<String>> up() {
        List<List<String>> commands = new ArrayList<>();
        namespaces().forEach(name -> commands.add(List.of("ip", "netns", "add", name)));
        bridge(commands, CORE);
        for (String rack : layout.racks()) {
            bridge(commands, bridgeOf(rack));
            if (layout.relayed()) {
                commands.add(in(net(), "tuntap", "add", "dev", uplink(rack), "mode", "tap"));
                commands.add(in(net(), "tuntap", "add", "dev", "core-" + uplink(rack), "mode", "tap"));
                commands.add(large(net(), uplink(rack)));
                commands.add(large(net(), "core-" + uplink(rack)));
            } else {
                commands.add(
                        in(net(), "link", "add", uplink(rack), "type", "veth", "peer", "name", "core-" + uplink(rack)));
            }
            commands.add(in(net(), "link", "set", uplink(rack), "master", bridgeOf(rack), "up"));
            commands.add(in(net(), "link", "set", "core-" + uplink(rack), "master", CORE, "up"));
        }
        layout.hosts().forEach(host -> join(commands, host));
        client(commands);
        return commands;
    }

    /** Makes racks far from each other and NICs slow; nothing where the shape asks for nothing. */
    public List<List<String>> shaping() {
        List<List<String>> commands = new ArrayList<>();
        if (layout.clusterSpec().latencyMs() > 0 && !layout.relayed()) {
            // A packet between two racks passes one uplink on its way out, in each direction.
            String delay =
                    String.format(Locale.ROOT, "%.3fms", layout.clusterSpec().latencyMs() / 2);
            for (String rack : layout.racks()) {
                commands.add(queue(net(), uplink(rack), "netem", "delay", delay, "limit", NETEM_PACKETS));
            }
        }
        layout.workers().forEach(host -> commands.addAll(shapingOf(host)));
        return commands;
    }

    /** Joins a host that was added to the rest of the network, as the others are. */
    public List<List<String>> upOf(ClusterHost host) {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("ip", "netns", "add", namespaceOf(host)));
        join(commands, host);
        commands.addAll(shapingOf(host));
        return commands;
    }

    private List<List<String>> shapingOf(ClusterHost host) {
        if (layout.clusterSpec().nicMegabits() == 0) {
            return List.of();
        }
        String rate = layout.clusterSpec().nicMegabits() + "mbit";
        return List.of(queue(namespaceOf(host), "eth0", rated(rate)), queue(net(), host.name(), rated(rate)));
    }

    /** Cuts a rack off from all others, or joins it again. */
    public List<String> rackLink(String rack, boolean up) {
        return in(net(), "link", "set", uplink(rack), up ? "up" : "down");
    }

    /** Prints what every device at a bridge has received and sent, as JSON. */
    public List<String> counts() {
        return List.of("ip", "-n", net(), "-s", "-j", "link", "show");
    }

    /** Takes everything away again; each of them may fail because it is gone already. */
    public List<List<String>> down() {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("ip", "link", "del", clientDevice()));
        namespaces().forEach(name -> commands.add(List.of("ip", "netns", "del", name)));
        return commands;
    }

    /** What a command line has to begin with, to run on a host under the host's name. */
    public List<String> runOn(ClusterHost host) {
        return List.of(
                "ip",
                "netns",
                "exec",
                namespaceOf(host),
                "unshare",
                "--uts",
                "sh",
                "-c",
                "hostname " + host.name() + " && exec \"$@\"",
                "sh");
    }

    /** What a command line has to begin with, to run where the bridges are. */
    public List<String> runAtTheBridges() {
        return List.of("ip", "netns", "exec", net());
    }

    /** The arguments of the process that is the way between racks: half of the round trip, and two devices for each rack. */
    public List<String> relayArguments() {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(Math.round(layout.clusterSpec().latencyMs() / 2 * MICROS_OF_A_MILLI)));
        for (String rack : layout.racks()) {
            arguments.add(uplink(rack));
            arguments.add("core-" + uplink(rack));
        }
        return arguments;
    }

    private void join(List<List<String>> commands, ClusterHost host) {
        String namespace = namespaceOf(host);
        String bridge = host.rack().equals(ClusterLayout.CORE_RACK) ? CORE : bridgeOf(host.rack());
        commands.add(in(net(), "link", "add", host.name(), "type", "veth", "peer", "name", "eth0", "netns", namespace));
        if (layout.relayed()) {
            commands.add(large(net(), host.name()));
            commands.add(large(namespace, "eth0"));
        }
        commands.add(in(net(), "link", "set", host.name(), "master", bridge, "up"));
        commands.add(in(namespace, "link", "set", "lo", "up"));
        commands.add(in(namespace, "addr", "add", host.address() + "/" + PREFIX_LENGTH, "dev", "eth0"));
        commands.add(in(namespace, "link", "set", "eth0", "up"));
    }

    private void client(List<List<String>> commands) {
        commands.add(
                List.of("ip", "link", "add", clientDevice(), "type", "veth", "peer", "name", "client", "netns", net()));
        if (layout.relayed()) {
            commands.add(large(net(), "client"));
            commands.add(List.of("ip", "link", "set", clientDevice(), "mtu", RELAYED_MTU));
        }
        commands.add(in(net(), "link", "set", "client", "master", CORE, "up"));
        commands.add(List.of("ip", "addr", "add", layout.clientAddress() + "/" + PREFIX_LENGTH, "dev", clientDevice()));
        commands.add(List.of("ip", "link", "set", clientDevice(), "up"));
    }

    private static List<String> large(String namespace, String device) {
        return in(namespace, "link", "set", device, "mtu", RELAYED_MTU);
    }

    private void bridge(List<List<String>> commands, String name) {
        commands.add(in(net(), "link", "add", name, "type", "bridge"));
        commands.add(in(net(), "link", "set", name, "up"));
    }

    private String net() {
        return namespace(layout.id(), ClusterLayout.NET);
    }

    private static String namespace(String id, String name) {
        return "hearth-" + id + "-" + name;
    }

    private static String bridgeOf(String rack) {
        return rack.substring(1);
    }

    private static String uplink(String rack) {
        return "up-" + bridgeOf(rack);
    }

    /** The burst holds a packet as large as the kernel makes them between two namespaces. */
    private static String[] rated(String rate) {
        return new String[] {"tbf", "rate", rate, "burst", "256kb", "latency", "50ms"};
    }

    private static List<String> in(String namespace, String... command) {
        return command("ip", namespace, command);
    }

    private static List<String> queue(String namespace, String device, String... discipline) {
        List<String> words = new ArrayList<>(List.of("qdisc", "replace", "dev", device, "root"));
        words.addAll(List.of(discipline));
        return command("tc", namespace, words.toArray(String[]::new));
    }

    private static List<String> command(String tool, String namespace, String... words) {
        List<String> command = new ArrayList<>(List.of(tool, "-n", namespace));
        command.addAll(List.of(words));
        return List.copyOf(command);
    }
}
