// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.Unknown;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several folders and files by one call of a NameNode with small limits: 6 paths a call, and 110 entries or locations a listing.
 * What it answers of each is what it answers when asked for that one alone.
 */
class BatchedListingIT {

    private static final int BLOCK_BYTES = 1_024;
    private static final int LIST_LIMIT = 110;
    private static final int PATHS_LIMIT = 6;

    @TempDir
    private static java.nio.file.Path folder;

    private static MiniDFSCluster dfs;
    private static Configuration conf;
    private static FileSystem fs;

    private FileSystem ours;
    private HdfsAdapter adapter;
    private StoreDirectories directories;

    @BeforeAll
    static void startHdfs() throws IOException {
        conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        conf.setInt("dfs.ls.limit", LIST_LIMIT);
        conf.setInt("dfs.batched.ls.limit", PATHS_LIMIT);
        conf.setInt("dfs.namenode.fs-limits.min-block-size", BLOCK_BYTES);
        conf.setInt("dfs.blocksize", BLOCK_BYTES);
        conf.setInt("dfs.bytes-per-checksum", BLOCK_BYTES);
        // No heartbeat between two answers that are compared: each brings the free bytes of this machine's disk.
        conf.setInt("dfs.heartbeat.interval", 600);
        dfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        dfs.waitActive();
        fs = dfs.getFileSystem();
        file("/d/a/one", 3);
        file("/d/a/two", 1);
        fs.mkdirs(new Path("/d/a/folder"));
        fs.mkdirs(new Path("/d/empty"));
        file("/d/secret/file", 2);
        fs.setPermission(new Path("/d/secret"), new FsPermission((short) 0700));
        for (int large = 0; large < 12; large++) {
            file("/d/large/" + (char) ('a' + large), 10);
        }
        for (int many = 0; many < 150; many++) {
            fs.create(new Path("/d/many/f" + many)).close();
        }
    }

    @AfterAll
    static void stopHdfs() {
        dfs.shutdown(true);
    }

    @BeforeEach
    void asAUserWhoMayNotReadAll() throws Exception {
        UserGroupInformation user = UserGroupInformation.createUserForTesting("reader", new String[] {"readers"});
        ours = user.doAs((PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(dfs.getURI(), new Configuration(conf)));
        adapter = HdfsAdapter.to(ours, new Path("/d"), conf, Runnable::run);
        directories = adapter.storeDirectories();
    }

    @AfterEach
    void close() throws IOException {
        adapter.close();
        ours.close();
    }

    @Test
    void eachFolderIsAnsweredAsByItself() {
        List<String> paths =
                List.of("/d/a", "/d/empty", "/d/gone", "/d/secret", "/d/many", "/d/large", "/d/a/one", "/d/a");
        List<Observed<List<StoreFile>>> alone =
                paths.stream().map(directories::list).toList();

        assertThat(directories.listAll(paths)).isEqualTo(alone);
        assertThat(sizes(alone)).containsExactly(2, 0, -1, -2, 150, 12, 1, 2);
        assertThat(((Unknown<?>) alone.get(3)).reason()).isEqualTo(UnknownReason.NOT_PERMITTED);
        assertThat(directories.listAll(paths)).as("once more").isEqualTo(alone);
    }

    @Test
    void aFolderWithMoreLocationsThanAListingHoldsIsWholeThoughOthersAreBesideIt() {
        List<Observed<List<StoreFile>>> answers = directories.listAll(List.of("/d/large", "/d/a"));

        assertThat(sizes(answers)).containsExactly(12, 2);
    }

    @Test
    void eachFileIsAnsweredAsByItself() {
        List<String> paths = List.of("/d/a/one", "/d/gone", "/d/a/two", "/d/large/c", "/d/secret/file", "/d/many/f7");
        List<Observed<StoreFile>> alone =
                paths.stream().map(directories::locate).toList();

        assertThat(directories.locateAll(paths)).isEqualTo(alone);
        assertThat(alone.get(0).ifKnown().orElseThrow().blocks()).hasSize(3);
    }

    @Test
    void aFileThatIsBeingWrittenIsNotComplete() throws IOException {
        try (FSDataOutputStream out = fs.create(new Path("/d/open"))) {
            out.write(new byte[BLOCK_BYTES + 1]);
            out.hflush();
            List<String> paths = List.of("/d/open", "/d/a/one");

            List<Observed<StoreFile>> answers = directories.locateAll(paths);

            assertThat(answers)
                    .isEqualTo(paths.stream().map(directories::locate).toList());
            assertThat(answers.get(0).ifKnown().orElseThrow().complete()).isFalse();
        }
    }

    @Test
    void manyFoldersTakeFewCallsAndNoMorePathsThanAllowed() {
        assertThat(directories.listAll(List.of("/d/a", "/d/empty"))).hasSize(2);
        assertThat(adapter.nameNodeUsage().calls()).isEqualTo(1);
        AtomicInteger rounds = new AtomicInteger();
        // A NameNode that takes long is asked for one path at a time, as it should be, until it is quick again.
        await().pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    int most = directories.foldersAtATime();
                    List<String> next =
                            IntStream.range(0, most).mapToObj(n -> "/d/x" + n).toList();
                    assertThat(directories.listAll(next)).hasSize(most).containsOnly(Observed.gone());
                    return rounds.incrementAndGet() >= 10 && directories.foldersAtATime() > 1;
                });
        assertThat(directories.foldersAtATime()).isLessThanOrEqualTo(PATHS_LIMIT);
        assertThat(adapter.nameNodeUsage().calls()).isLessThan(15 + rounds.get());
    }

    private static List<Integer> sizes(List<Observed<List<StoreFile>>> answers) {
        return answers.stream()
                .map(answer -> answer.ifKnown().map(List::size).orElse(answer instanceof Unknown ? -2 : -1))
                .toList();
    }

    private static void file(String path, int blocks) throws IOException {
        DFSTestUtil.createFile(fs, new Path(path), BLOCK_BYTES, (long) blocks * BLOCK_BYTES, BLOCK_BYTES, (short) 1, 1);
    }
}
