// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.embedded.Directories;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The folder in which everything is that belongs to one process cluster: state, configuration, jars, logs and data.
 *
 * <p>Only an empty folder becomes one, and a marker file says so from then on: without it nothing in the folder is believed or
 * deleted, whatever its entries are called. Not thread-safe.
 */
final class ClusterFolder {

    private static final String MARKER = "made-by-hearth-cluster";
    private static final String MARKER_TEXT =
            "bin/hearth cluster start made this folder, and bin/hearth cluster stop deletes what it put there.\n";

    private static final String STATE = "state.json";
    private static final String NEXT_STATE = "state.json.next";
    private static final String LOCK = "lock";

    /** Belongs to the user that this JVM runs as. */
    private static final Path SELF = Path.of("/proc/self");

    /** What a cluster puts there, the marker last; anything else is somebody else's, and the folder stays. */
    private static final List<String> CONTENTS =
            List.of("conf", "lib", "logs", "data", "tmp", "shell", NEXT_STATE, STATE, LOCK, MARKER);

    private final Path path;
    private final Gson gson = new GsonBuilder().setPrettyPrinting().create();

    ClusterFolder(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    Path path() {
        return path;
    }

    Path conf() {
        return path.resolve("conf");
    }

    /** The folder of every server's class path that Hearth is copied to. */
    Path lib() {
        return path.resolve("lib");
    }

    /** The class path of HBase's servers, where it is that of a release of HBase's. */
    Path hbaseClassPath() {
        return conf().resolve("hbase.classpath");
    }

    /** The class path of HDFS's servers, where it is that of a release of Hadoop's. */
    Path hadoopClassPath() {
        return conf().resolve("hadoop.classpath");
    }

    /** Jars that only the servers on that host have. */
    Path lib(ClusterHost host) {
        return lib().resolve(host.name());
    }

    Path logs() {
        return path.resolve("logs");
    }

    /** The log of a member or a one-shot process of this name. */
    Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /** What it printed. */
    Path output(String name) {
        return logs().resolve(name + ".out");
    }

    Path data() {
        return path.resolve("data");
    }

    /** The NameNode's own folder on that host: {@code dfs.namenode.name.dir} by default. */
    Path nameFolder(ClusterHost host) {
        return data().resolve(host.name()).resolve("dfs/name");
    }

    /** The DataNode's own folder on that host: {@code dfs.datanode.data.dir} by default. */
    Path disk(ClusterHost host) {
        return data().resolve(host.name()).resolve("dfs/data");
    }

    /** The SSD of the DataNode on that host, where it has one: {@code ssd} below {@code hadoop.tmp.dir}. */
    Path ssd(ClusterHost host) {
        return data().resolve(host.name()).resolve("ssd");
    }

    /** What the clock of that host shows, where it has one of its own. */
    Path clock(ClusterHost host) {
        return conf().resolve("clock-" + host.name());
    }

    /** What makes servers go by those clocks. */
    Path clocksJar() {
        return conf().resolve("clocks.jar");
    }

    Path tmp() {
        return path.resolve("tmp");
    }

    Path shell() {
        return path.resolve("shell");
    }

    Path hostsFile() {
        return conf().resolve("hosts");
    }

    /** The cluster in it, as far as it has come; absent if there is none. */
    Optional<ProcessClusterState> state() throws IOException {
        Path file = path.resolve(STATE);
        if (!isMarked() || Files.notExists(file)) {
            return Optional.empty();
        }
        requireOwn();
        try {
            return Optional.of(gson.fromJson(Files.readString(file), ProcessClusterState.class));
        } catch (JsonParseException e) {
            throw new IOException(file + " can't be read (" + e.getMessage() + "); it tells what has to be stopped");
        }
    }

    void write(ProcessClusterState state) throws IOException {
        Path next = path.resolve(NEXT_STATE);
        Files.writeString(next, gson.toJson(state));
        Files.move(next, path.resolve(STATE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Makes the folder if it is not there, and marks it.
     *
     * @throws IOException if it is neither empty nor marked, or holds what no cluster puts there
     */
    void create() throws IOException {
        Files.createDirectories(path);
        requireOwn();
        List<String> foreign = isMarked() ? foreign() : entries();
        if (!foreign.isEmpty()) {
            throw new IOException(path + " holds " + foreign.get(0)
                    + ", which is no cluster's; name an empty folder or a new one with --folder");
        }
        Files.writeString(path.resolve(MARKER), MARKER_TEXT);
    }

    private boolean isMarked() throws IOException {
        Path marker = path.resolve(MARKER);
        return Files.isRegularFile(marker, LinkOption.NOFOLLOW_LINKS)
                && Files.size(marker) == MARKER_TEXT.length()
                && Files.readString(marker).equals(MARKER_TEXT);
    }

    /** What stands in the folder is done with this user's rights: nobody else may have written it. */
    private void requireOwn() throws IOException {
        UserPrincipal owner = Files.getOwner(path);
        if (!owner.equals(Files.getOwner(SELF))) {
            throw new IOException(path + " belongs to " + owner.getName() + "; name another folder with --folder");
        }
    }

    /**
     * Keeps others from starting, stopping or breaking this cluster until it is closed; the system takes it from a process that
     * was killed.
     *
     * @throws IOException if another has it
     */
    Closeable lock() throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Another thread of this process has it.
        }
        channel.close();
        throw new IOException("another bin/hearth is at work on the cluster in " + path + "; wait for it to end");
    }

    /**
     * Deletes all that a cluster put there, the marker last, and the folder if nothing else is in it.
     *
     * @throws IOException if no cluster was made there
     */
    void delete() throws IOException {
        if (!isMarked()) {
            throw new IOException(path + " was not made by bin/hearth cluster start; nothing in it is deleted");
        }
        for (String name : CONTENTS) {
            Directories.delete(path.resolve(name));
        }
        if (Files.exists(path) && foreign().isEmpty()) {
            Files.deleteIfExists(path);
        }
    }

    private List<String> foreign() throws IOException {
        return entries().stream().filter(name -> !CONTENTS.contains(name)).toList();
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    /**
     * What is known of a cluster by everyone but the harness that started it, kept in its folder. Immutable.
     *
     * @param stage how far it has come
     * @param layout its hosts and processes
     * @param processByDaemon the process that each member was started as last, by the member's name, and those beside them
     */
    record ProcessClusterState(Stage stage, ClusterLayout layout, Map<String, ProcessId> processByDaemon) {

        /** Written before anything is done that it speaks of. */
        enum Stage {
            /** It is being started: if nobody does that any more, it is to be cleared away. */
            STARTING,
            /** It was started, and is its user's until it is stopped. */
            STARTED
        }

        ProcessClusterState {
            processByDaemon = new TreeMap<>(processByDaemon);
        }

        ProcessClusterState at(Stage next) {
            return new ProcessClusterState(next, layout, processByDaemon);
        }

        ProcessClusterState with(ClusterLayout next) {
            return new ProcessClusterState(stage, next, processByDaemon);
        }

        ProcessClusterState with(String daemon, ProcessId process) {
            Map<String, ProcessId> processes = new TreeMap<>(processByDaemon);
            processes.put(daemon, process);
            return new ProcessClusterState(stage, layout, processes);
        }
    }
}
