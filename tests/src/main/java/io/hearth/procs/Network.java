package io.hearth.procs;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.cluster.ClusterHost;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.NamespaceCommands;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import io.hearth.procs.system.Tool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** The network of a process cluster on this machine: which there can be, making it, breaking it, taking it away. */
public final class Network {

    private static final int ATTEMPTS = 50;
    private static final int FIRST_NUMBER = 2;
    private static final int NUMBERS = 253;

    private Network() {}

    /** Why this machine has no network namespaces for this user, in one line; absent if it has. */
    public static Optional<String> whyNoNamespaces() throws InterruptedException {
        String name = "hearth-try-" + ProcessHandle.current().pid();
        try {
            Tool.run("ip", "netns", "add", name);
            Tool.run("ip", "netns", "del", name);
            return Optional.empty();
        } catch (IOException e) {
            dropHalfMade(name);
            return Optional.of(e.getMessage());
        }
    }

    /** Whether the kernel can hold packets back. */
    private static boolean hasNetem() throws IOException, InterruptedException {
        String name = "hearth-try-" + ProcessHandle.current().pid();
        Tool.run("ip", "netns", "add", name);
        try {
            return Tool.tryRun("tc", "-n", name, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms")
                    .isWell();
        } finally {
            dropHalfMade(name);
        }
    }

    private static void dropHalfMade(String namespace) throws InterruptedException {
        try {
            Tool.tryRun("ip", "netns", "del", namespace);
        } catch (IOException e) {
            // There is no ip at all.
        }
    }

    /** A layout whose name and addresses nobody on this machine uses. */
    static ClusterLayout choose(Shape shape, SplittableRandom random) throws IOException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int id = random.nextInt(1 << 16);
            ClusterLayout layout = new ClusterLayout(shape, String.format("%04x", id), FIRST_NUMBER + id % NUMBERS);
            if (isFree(layout)) {
                return shape.latencyMs() > 0 && !hasNetem() ? layout.withRelay() : layout;
            }
        }
        throw new IOException("no free addresses found in " + shape.wiring().prefix()
                + "0.0; bin/hearth cluster stop ends clusters that are not needed");
    }

    private static boolean isFree(ClusterLayout layout) throws IOException, InterruptedException {
        return switch (layout.shape().wiring()) {
            case NAMESPACES ->
                !Tool.run("ip", "-o", "-4", "addr", "show")
                        .contains(layout.clientAddress()
                                .substring(0, layout.clientAddress().lastIndexOf('.') + 1));
            case LOOPBACK -> canListen(layout.hosts().get(0).address());
        };
    }

    /** Whether the NameNode's port is free on that address of the loopback device. */
    private static boolean canListen(String address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address, 8020));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Makes it. */
    static void up(ClusterLayout layout) throws IOException, InterruptedException {
        if (layout.shape().wiring() == Wiring.NAMESPACES) {
            NamespaceCommands commands = new NamespaceCommands(layout);
            up(layout, commands);
            for (List<String> command : commands.shaping()) {
                shape(command);
            }
        }
    }

    private static void up(ClusterLayout layout, NamespaceCommands commands) throws IOException, InterruptedException {
        try {
            Tool.runAll(commands.up());
        } catch (IOException e) {
            throw layout.relayed()
                    ? new IOException(
                            "this machine's kernel has no tc netem, and no TAP devices in its place (" + e.getMessage()
                                    + "); leave out --latency-ms",
                            e)
                    : e;
        }
    }

    /** Makes the part of it that a host is, which was added later. */
    static void up(ClusterLayout layout, ClusterHost host) throws IOException, InterruptedException {
        if (layout.shape().wiring() == Wiring.NAMESPACES) {
            Tool.runAll(new NamespaceCommands(layout).upOf(host));
        }
    }

    private static void shape(List<String> command) throws IOException, InterruptedException {
        try {
            Tool.run(command.toArray(String[]::new));
        } catch (IOException e) {
            throw new IOException(
                    "this machine's kernel can't shape the network as asked for (" + e.getMessage() + "); leave out "
                            + (command.contains("netem") ? "--latency-ms" : "--nic-mbit"),
                    e);
        }
    }

    /** What the hosts with a DataNode have sent so far, by the devices' counts; absent without namespaces. */
    static OptionalLong bytesSent(ClusterLayout layout) throws IOException, InterruptedException {
        if (layout.shape().wiring() == Wiring.LOOPBACK) {
            return OptionalLong.empty();
        }
        List<String> hosts = layout.workers().stream().map(ClusterHost::name).toList();
        long bytes = 0;
        for (JsonElement each : JsonParser.parseString(
                        Tool.run(new NamespaceCommands(layout).counts().toArray(String[]::new)))
                .getAsJsonArray()) {
            JsonObject device = each.getAsJsonObject();
            if (hosts.contains(device.get("ifname").getAsString())) {
                // What its bridge receives from it.
                bytes += device.getAsJsonObject("stats64")
                        .getAsJsonObject("rx")
                        .get("bytes")
                        .getAsLong();
            }
        }
        return OptionalLong.of(bytes);
    }

    /** Takes away what is left of it. */
    static void down(ClusterLayout layout) throws IOException, InterruptedException {
        if (layout.shape().wiring() == Wiring.NAMESPACES) {
            for (List<String> command : new NamespaceCommands(layout).down()) {
                Tool.tryRun(command.toArray(String[]::new));
            }
        }
    }

    /** Cuts a rack off or joins it again; only with namespaces. */
    static void setRackLink(ClusterLayout layout, String rack, boolean up) throws IOException, InterruptedException {
        Tool.run(new NamespaceCommands(layout).rackLink(rack, up).toArray(String[]::new));
    }
}
