// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.layout.NamespaceCommands;
import io.hearth.testkit.process.system.SystemCommand;
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
            SystemCommand.run("ip", "netns", "add", name);
            SystemCommand.run("ip", "netns", "del", name);
            return Optional.empty();
        } catch (IOException e) {
            dropHalfMade(name);
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the kernel can hold packets back. */
    private static boolean hasNetem() throws IOException, InterruptedException {
        String name = "hearth-try-" + ProcessHandle.current().pid();
        SystemCommand.run("ip", "netns", "add", name);
        try {
            return SystemCommand.tryRun("tc", "-n", name, "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms")
                    .succeeded();
        } finally {
            dropHalfMade(name);
        }
    }

    private static void dropHalfMade(String namespace) throws InterruptedException {
        try {
            SystemCommand.tryRun("ip", "netns", "del", namespace);
        } catch (IOException e) {
            // There is no ip at all.
        }
    }

    /** A layout whose name and addresses nobody on this machine uses. */
    static ClusterLayout choose(ClusterSpec clusterSpec, SplittableRandom random)
            throws IOException, InterruptedException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int id = random.nextInt(1 << 16);
            ClusterLayout layout =
                    new ClusterLayout(clusterSpec, String.format("%04x", id), FIRST_NUMBER + id % NUMBERS);
            if (isFree(layout)) {
                return clusterSpec.latencyMs() > 0 && !hasNetem() ? layout.withRelay() : layout;
            }
        }
        throw new IOException(
                "no free addresses found in " + clusterSpec.networkMode().prefix()
                        + "0.0; bin/hearth cluster stop ends clusters that are not needed");
    }

    private static boolean isFree(ClusterLayout layout) throws IOException, InterruptedException {
        return switch (layout.clusterSpec().networkMode()) {
            case NAMESPACES ->
                !SystemCommand.run("ip", "-o", "-4", "addr", "show")
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
        if (layout.clusterSpec().networkMode() == NetworkMode.NAMESPACES) {
            NamespaceCommands commands = new NamespaceCommands(layout);
            up(layout, commands);
            for (List<String> command : commands.shaping()) {
                clusterSpec(command);
            }
        }
    }

    private static void up(ClusterLayout layout, NamespaceCommands commands) throws IOException, InterruptedException {
        try {
            SystemCommand.runAll(commands.up());
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
        if (layout.clusterSpec().networkMode() == NetworkMode.NAMESPACES) {
            SystemCommand.runAll(new NamespaceCommands(layout).upOf(host));
        }
    }

    private static void clusterSpec(List<String> command) throws IOException, InterruptedException {
        try {
            SystemCommand.run(command.toArray(String[]::new));
        } catch (IOException e) {
            throw new IOException(
                    "this machine's kernel can't shape the network as asked for (" + e.getMessage() + "); leave out "
                            + (command.contains("netem") ? "--latency-ms" : "--nic-mbit"),
                    e);
        }
    }

    /** What the hosts with a DataNode have sent so far, by the devices' counts; absent without namespaces. */
    static OptionalLong bytesSent(ClusterLayout layout) throws IOException, InterruptedException {
        if (layout.clusterSpec().networkMode() == NetworkMode.LOOPBACK) {
            return OptionalLong.empty();
        }
        List<String> hosts = layout.workers().stream().map(ClusterHost::name).toList();
        long bytes = 0;
        for (JsonElement each : JsonParser.parseString(
                        SystemCommand.run(new NamespaceCommands(layout).counts().toArray(String[]::new)))
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
        if (layout.clusterSpec().networkMode() == NetworkMode.NAMESPACES) {
            for (List<String> command : new NamespaceCommands(layout).down()) {
                SystemCommand.tryRun(command.toArray(String[]::new));
            }
        }
    }

    /** Cuts a rack off or joins it again; only with namespaces. */
    static void setRackLink(ClusterLayout layout, String rack, boolean up) throws IOException, InterruptedException {
        SystemCommand.run(new NamespaceCommands(layout).rackLink(rack, up).toArray(String[]::new));
    }
}
