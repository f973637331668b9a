// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * HBase's files in the HDFS of a cluster of processes, and Hearth's among them. The NameNode is asked by its address, since this JVM knows
 * no name of the cluster's hosts. To be closed.
 */
final class HBaseFiles implements AutoCloseable {

    private static final Path ROOT = new Path("/hbase");
    private static final Path HEARTH = new Path(ROOT, ".hearth");
    private static final Path PAUSE = new Path(HEARTH, "healer.paused");
    private static final String STATE = "state.";
    private static final String LINE_OF_A_NEWER_VERSION = "frozen-until tomorrow\n";

    /** Where the last byte is of the number of a state file's form. */
    private static final int FORM = 11;

    private final FileSystem hdfs;
    private byte[] stateOfANewerVersion = {};

    private HBaseFiles(FileSystem hdfs) {
        this.hdfs = hdfs;
    }

    static HBaseFiles of(ScriptedCluster cluster) throws IOException {
        URI nameNode = URI.create("hdfs://" + cluster.address("namenode") + ":8020");
        return new HBaseFiles(FileSystem.newInstance(nameNode, new Configuration()));
    }

    /** The hosts on which every block of this region's files is, by the NameNode. */
    Set<String> hostsWithAllBlocks(String table, String region) throws IOException {
        Set<String> hosts = new HashSet<>();
        int blocks = 0;
        for (FileStatus file : hdfs.listStatus(new Path(ROOT, "data/default/" + table + "/" + region + "/f"))) {
            for (BlockLocation block : hdfs.getFileBlockLocations(file, 0, file.getLen())) {
                if (blocks++ == 0) {
                    hosts.addAll(List.of(block.getHosts()));
                }
                hosts.retainAll(List.of(block.getHosts()));
            }
        }
        assertThat(blocks).as("blocks of %s", region).isPositive();
        return hosts;
    }

    /** What the file with the pause says; nothing where there is none. */
    String pause() throws IOException {
        return hdfs.exists(PAUSE) ? new String(read(PAUSE), StandardCharsets.UTF_8) : "";
    }

    /** Has it say what this version does not know. */
    void addLineOfANewerVersionToPause() throws IOException {
        String written = pause();
        assertThat(written).startsWith("version 1\n");
        write(PAUSE, (written.replaceFirst("1", "2") + LINE_OF_A_NEWER_VERSION).getBytes(StandardCharsets.UTF_8));
    }

    /** The newest state file once more, as one of the next form, with the next number. Returns its name. */
    String writeStateOfANewerVersion() throws IOException {
        String newest = Arrays.stream(hdfs.listStatus(HEARTH))
                .map(file -> file.getPath().getName())
                .filter(name -> name.startsWith(STATE))
                .max(String::compareTo)
                .orElseThrow();
        stateOfANewerVersion = read(new Path(HEARTH, newest));
        stateOfANewerVersion[FORM]++;
        String next = STATE + "%010d".formatted(Long.parseLong(newest.substring(STATE.length())) + 1);
        write(new Path(HEARTH, next), stateOfANewerVersion);
        return next;
    }

    void filesOfANewerVersionAreAsTheyWere(String state) throws IOException {
        assertThat(read(new Path(HEARTH, state))).isEqualTo(stateOfANewerVersion);
        assertThat(pause()).startsWith("version 2\n").contains("\npaused ").endsWith(LINE_OF_A_NEWER_VERSION);
    }

    private byte[] read(Path file) throws IOException {
        try (FSDataInputStream in = hdfs.open(file)) {
            return in.readAllBytes();
        }
    }

    private void write(Path file, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = hdfs.create(file, true)) {
            out.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        hdfs.close();
    }
}
